// Starts the service and the example app beside it, ready to click through. Ctrl-C stops both; if one ends, both do.
import { execFile, execSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const FOLDER = 'examples/mural-walk';
const HOME = 'http://127.0.0.1:4100';
const KEPT = 'data/mural-walk.json';
const SCOPES =
  'openid profile markers:read artists:read edits:read edits:write edits:review collections:read collections:write';

const running = new Set();
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));

try {
  if (process.env.DATABASE_URL === 'sqlite::memory:')
    throw new Error('The example needs a database that two can open.');
  if (!existsSync(`${FOLDER}/node_modules`)) execSync('npm ci', { cwd: FOLDER, stdio: 'inherit' });

  // What it prints goes through here, so it cannot see by itself whether a person reads along.
  const LOG_FORMAT = process.env.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json');
  const service = { ...process.env, LOG_FORMAT };
  const ISSUER = await listening('The service', 'dist/src/main.js', service, /listens at (http[\w.~:/[\]-]+)["\s]/);
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = await registeredApp();
  // The app is somebody else's, as it were: it gets none of our settings.
  const app = { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT: new URL(HOME).port };
  await listening('Mural Walk', `${FOLDER}/server.js`, app, /is at (\S+)\s/);
  console.log(`
Open ${HOME} and sign in. The passwords of the demo people were printed at the service's first start;
for a person of your own: npm run --silent cli -- accounts create --help. Ctrl-C stops both.`);
} catch (error) {
  if (!stopping) console.error(error.message);
  stop(1);
}

/** Starts a program and shows what it prints. @returns the address in it, once it says where it is */
function listening(name, file, env, address) {
  if (stopping) throw new Error(`${name} was not started.`);
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  return new Promise((resolve, reject) => {
    let printed = '';
    let found;
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      if (found) return;
      printed += chunk;
      found = address.exec(printed)?.[1];
      if (found) resolve(found);
    });
    child.on('error', reject);
    child.on('exit', () => {
      running.delete(child);
      reject(new Error(`${name} did not start.`));
      if (!stopping) console.error(`${name} has ended.`);
      stop(1);
    });
  });
}

/** The app as it is registered in the database of the service: as it was kept, or registered now. */
async function registeredApp() {
  const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {};
  const apps = await cli('apps', 'list');
  if (apps.some(({ client_id, disabled_at }) => client_id === kept.client_id && !disabled_at)) return kept;
  const app = await cli(
    ...['apps', 'create', '--name', 'Mural Walk'],
    ...['--description', 'Shows murals near you, keeps a walk of those you like, and suggests changes.'],
    ...['--redirect-uri', `${HOME}/callback`, '--post-logout-redirect-uri', `${HOME}/`],
    ...['--scope', SCOPES, '--required-scope', 'openid', 'markers:read'],
  );
  mkdirSync('data', { recursive: true });
  writeFileSync(KEPT, `${JSON.stringify(app)}\n`, { mode: 0o600 }); // its secret is for this account alone
  return app;
}

async function cli(...words) {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli.js', ...words, '--json']);
  return JSON.parse(stdout);
}

/** Stops what runs, and ends with this code when it has stopped. */
function stop(code) {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of running) child.kill();
}
