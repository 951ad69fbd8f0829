import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { ChildSection } from './child-section.ts';
import { ConsentSwitch } from './consent-switch.ts';
import { CopySection } from './copy-section.ts';
import { EraseSection } from './erase-section.ts';
import { ErasedView } from './erased-view.ts';
import { GuardianView } from './guardian-view.ts';
import { MeView } from './me-view.ts';
import { MineApp } from './mine-app.ts';
import { NoteList } from './note-list.ts';
import { OwnConsent } from './own-consent.ts';
import { SignOutSection } from './sign-out-section.ts';

customElements.define('child-section', ChildSection);
customElements.define('connection-banner', ConnectionBanner);
customElements.define('consent-switch', ConsentSwitch);
customElements.define('copy-section', CopySection);
customElements.define('erase-section', EraseSection);
customElements.define('erased-view', ErasedView);
customElements.define('guardian-view', GuardianView);
customElements.define('me-view', MeView);
customElements.define('note-list', NoteList);
customElements.define('own-consent', OwnConsent);
customElements.define('sign-out-section', SignOutSection);
// Last, for the page's own element begins to work at once.
customElements.define('mine-app', MineApp);
