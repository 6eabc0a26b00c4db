// Starts the service and Pocket Map, a static page in the browser without a client secret.
import { runExample, startProgram } from './example-runner.js';

const NAME = 'Pocket Map';
const FOLDER = 'examples/pocket-map';
const ORIGIN = 'http://localhost:4200';

await runExample({
  name: NAME,
  folder: FOLDER,
  registrationFile: 'data/pocket-map.json',
  registration: [
    '--public',
    ...['--description', 'Shows street art on a map and plans a walk.'],
    ...['--redirect-uri', `${ORIGIN}/`, '--post-logout-redirect-uri', `${ORIGIN}/`],
    ...['--scope', 'openid profile markers:read collections:read collections:write'],
    ...['--required-scope', 'openid', 'markers:read'],
  ],
  startApp({ issuer, credentials: { client_id } }) {
    const config = JSON.stringify({ issuer, clientId: client_id });
    const env = { NAME, FOLDER, PORT: new URL(ORIGIN).port, CONFIG: config };
    return startProgram(NAME, 'scripts/static-server.js', env, /is at (\S+)\s/);
  },
});
