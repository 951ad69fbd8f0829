import { ChatView } from './elements/chat-view.ts';
import { ConnectionBanner } from './elements/connection-banner.ts';
import { JoinForm } from './elements/join-form.ts';
import { LessonList } from './elements/lesson-list.ts';
import { LessonView } from './elements/lesson-view.ts';
import { MessageComposer } from './elements/message-composer.ts';
import { RevealView } from './elements/reveal-view.ts';
import { SearchView } from './elements/search-view.ts';
import { TricksterApp } from './elements/trickster-app.ts';

customElements.define('chat-view', ChatView);
customElements.define('connection-banner', ConnectionBanner);
customElements.define('join-form', JoinForm);
customElements.define('lesson-list', LessonList);
customElements.define('lesson-view', LessonView);
customElements.define('message-composer', MessageComposer);
customElements.define('reveal-view', RevealView);
customElements.define('search-view', SearchView);
// Last, for the page's own element begins to work at once.
customElements.define('trickster-app', TricksterApp);
