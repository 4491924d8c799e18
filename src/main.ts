import { openChoices } from './app/choiceStore.ts';
import { followAddress } from './app/followAddress.ts';
import { hostEnvironment } from './app/host.ts';
import { KeptImages } from './app/keptImages.ts';
import { Navigation } from './app/navigation.ts';
import { OfflineApp } from './app/offline.ts';
import { Session } from './app/session.ts';
import { openHistory } from './app/sessionHistory.ts';
import { Training } from './app/training.ts';
import { RooftraceApp } from './ui/app.ts';

// Constants of the build (vite.config.ts).
/* oxlint-disable no-underscore-dangle */
declare const __APP_VERSION__: string;
declare const __APP_COMMIT__: string;

const navigation = new Navigation(window);
const history = openHistory();
const version = { version: __APP_VERSION__, commit: __APP_COMMIT__ };
const choices = openChoices(version);
const session = new Session({
  app: version,
  environment: hostEnvironment(),
  history,
  choices,
  // Whoever drives the page (the command line, a test) follows a run by these events.
  onEvent: (event) => window.dispatchEvent(new CustomEvent('rooftrace:event', { detail: event })),
});
const training = new Training(choices);
// Two jobs on one device would measure each other.
session.subscribe(() => {
  if (session.busy) training.pause();
});

const images = new KeptImages(window);
// A run trains on a part of them; what the training would need as well comes when it disturbs nothing.
session.subscribe(() => {
  if (session.state.kind === 'measured') void images.complete();
});

/** A reload would now disturb: a run that the history does not give back, a link, a lesson, a comparison. */
function occupied(): boolean {
  const { view, link } = navigation.address;
  const kept = session.state.kind === 'empty' || session.state.kind === 'restored';
  return training.busy || !kept || link !== undefined || view !== 'measure';
}

const offline = new OfflineApp(window, occupied);
// The development server has no service worker, and a chart in somebody's article wants none.
if (import.meta.env.PROD && !navigation.address.embed) {
  void offline.start();
  navigation.subscribe(() => offline.isolate());
  session.subscribe(() => {
    if (!session.busy) offline.isolate();
  });
}

if (!navigation.address.embed) void followAddress(session, navigation, history);

const app = new RooftraceApp();
app.session = session;
app.navigation = navigation;
app.history = history;
app.choices = choices;
app.training = training;
app.offline = offline;
app.images = images;
document.body.append(app);
