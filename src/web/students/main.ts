import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { GuardianLinks } from './guardian-links.ts';
import { GuardianList } from './guardian-list.ts';
import { PrepSheet } from './prep-sheet.ts';
import { ProfileForm } from './profile-form.ts';
import { StudentView } from './student-view.ts';
import { StudentsApp } from './students-app.ts';

customElements.define('connection-banner', ConnectionBanner);
customElements.define('guardian-links', GuardianLinks);
customElements.define('guardian-list', GuardianList);
customElements.define('prep-sheet', PrepSheet);
customElements.define('profile-form', ProfileForm);
customElements.define('student-view', StudentView);
// Last, for the page's own element begins to work at once.
customElements.define('students-app', StudentsApp);
