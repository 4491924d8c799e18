import { hostEnvironment } from './app/host.ts';
import { Navigation } from './app/navigation.ts';
import { Session } from './app/session.ts';
import { RooftraceApp } from './ui/app.ts';

// Constants of the build (vite.config.ts).
/* oxlint-disable no-underscore-dangle */
declare const __APP_VERSION__: string;
declare const __APP_COMMIT__: string;

const app = new RooftraceApp();
app.session = new Session({
  app: { version: __APP_VERSION__, commit: __APP_COMMIT__ },
  environment: hostEnvironment(),
  // Whoever drives the page (the command line, a test) follows a run by these events.
  onEvent: (event) => window.dispatchEvent(new CustomEvent('rooftrace:event', { detail: event })),
});
app.navigation = new Navigation(window);
document.body.append(app);
