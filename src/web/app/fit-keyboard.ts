/** Where a phone's keyboard lies over the page instead of shrinking it, the page is told how much is left. */
export function fitKeyboard(signal: AbortSignal): void {
  const viewport = globalThis.visualViewport;
  if (!viewport) return;
  const fit = () => document.documentElement.style.setProperty('--app-height', `${viewport.height}px`);
  viewport.addEventListener('resize', fit, { signal });
  fit();
}
