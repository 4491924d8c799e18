import { serveBuiltApp } from '../../src/cli/serve.ts';

/** Serves the built app on the port of the command line until it is ended. */
await serveBuiltApp(Number(process.argv[2]));
