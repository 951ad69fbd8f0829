import { build } from '../app/dom.ts';
import type { CompanionPage } from './companion-page.ts';

/** The way back to where the caller came from: the lessons, or the class; the class has a page for its staff. */
export function homeLink(page: CompanionPage): HTMLElement {
  const { home } = page.texts().companions;
  const isStaff = isStaffRole(page.store.state.me?.role);
  return build('a', { href: isStaff ? '/teacher' : '/' }, isStaff ? home.staff : home.student);
}

/** Whether a role is one of those that keep learners. */
export function isStaffRole(role: string | undefined): boolean {
  return role === 'teacher' || role === 'facilitator' || role === 'admin';
}
