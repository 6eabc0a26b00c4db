// Starts the service and Mural Walk, an app with a server and a client secret.
import { runExample, startProgram } from './example-runner.js';

const NAME = 'Mural Walk';
const FOLDER = 'examples/mural-walk';
const ORIGIN = 'http://127.0.0.1:4100';
const SCOPES =
  'openid profile markers:read artists:read edits:read edits:write edits:review collections:read collections:write';

await runExample({
  name: NAME,
  folder: FOLDER,
  registrationFile: 'data/mural-walk.json',
  registration: [
    ...['--description', 'Shows murals near you, keeps the ones you like as a walk, and suggests changes.'],
    ...['--redirect-uri', `${ORIGIN}/callback`, '--post-logout-redirect-uri', `${ORIGIN}/`],
    ...['--scope', SCOPES, '--required-scope', 'openid', 'markers:read'],
  ],
  async startApp({ issuer, credentials: { client_id, client_secret } }) {
    // The app gets no settings of the service, like an app of another developer.
    const env = { ISSUER: issuer, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PORT: new URL(ORIGIN).port };
    await startProgram(NAME, `${FOLDER}/server.js`, env, /is at (\S+)\s/);
    return ORIGIN;
  },
});
