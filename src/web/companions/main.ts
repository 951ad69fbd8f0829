import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { MessageComposer } from '../app/elements/message-composer.ts';
import { CompanionList } from './companion-list.ts';
import { CompanionView } from './companion-view.ts';
import { CompanionsApp } from './companions-app.ts';
import { MemoryPanel } from './memory-panel.ts';
import { MemorySearch } from './memory-search.ts';
import { ProfileForm } from '../students/profile-form.ts';
import { PastList } from './past-list.ts';
import { ProfilePanel } from './profile-panel.ts';
import { SubjectPicker } from './subject-picker.ts';
import { TalkView } from './talk-view.ts';
import { WidgetCard } from './widget-card.ts';

customElements.define('companion-list', CompanionList);
customElements.define('companion-view', CompanionView);
customElements.define('connection-banner', ConnectionBanner);
customElements.define('memory-panel', MemoryPanel);
customElements.define('memory-search', MemorySearch);
customElements.define('message-composer', MessageComposer);
customElements.define('past-list', PastList);
customElements.define('profile-form', ProfileForm);
customElements.define('profile-panel', ProfilePanel);
customElements.define('subject-picker', SubjectPicker);
customElements.define('talk-view', TalkView);
customElements.define('widget-card', WidgetCard);
// Last, for the page's own element begins to work at once.
customElements.define('companions-app', CompanionsApp);
