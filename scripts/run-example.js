// Starts the service and the example app. Ctrl-C stops both; if one ends, the other is stopped.
import { execFile, execSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const EXAMPLE_FOLDER = 'examples/mural-walk';
const APP_NAME = 'Mural Walk';
const APP_ORIGIN = 'http://127.0.0.1:4100';
const REGISTRATION_FILE = 'data/mural-walk.json';
const SCOPES =
  'openid profile markers:read artists:read edits:read edits:write edits:review collections:read collections:write';

const childProcesses = new Set();
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(0));

try {
  if (process.env.DATABASE_URL === 'sqlite::memory:')
    throw new Error(
      'DATABASE_URL must not be sqlite::memory:, because the example opens the database in two processes.',
    );
  if (!existsSync(`${EXAMPLE_FOLDER}/node_modules`)) execSync('npm ci', { cwd: EXAMPLE_FOLDER, stdio: 'inherit' });

  // The output of the service goes through a pipe, so the service cannot detect a terminal itself.
  const LOG_FORMAT = process.env.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json');
  const service = { ...process.env, LOG_FORMAT };
  const ISSUER = await startAndWaitForUrl(
    'The service',
    'dist/src/main.js',
    service,
    /listens at (http[\w.~:/[\]-]+)["\s]/,
  );
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = await findOrRegisterApp();
  // The app gets no settings of the service, like an app of another developer.
  const app = { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT: new URL(APP_ORIGIN).port };
  await startAndWaitForUrl('Mural Walk', `${EXAMPLE_FOLDER}/server.js`, app, /is at (\S+)\s/);
  console.log(`
Open ${APP_ORIGIN} and sign in. The first start of the service printed the passwords of the demo people.
To create your own account:  npm run --silent cli -- accounts create --help
Press Ctrl-C to stop the service and the example.`);
} catch (error) {
  if (!isStopping) console.error(error.message);
  stopAll(1);
}

/** Starts a program and copies its output. @returns the URL that its output contains */
function startAndWaitForUrl(name, file, env, pattern) {
  if (isStopping) throw new Error(`${name} was not started.`);
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  childProcesses.add(child);
  return new Promise((resolve, reject) => {
    let printed = '';
    let url;
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      if (url) return;
      printed += chunk;
      url = pattern.exec(printed)?.[1];
      if (url) resolve(url);
    });
    child.on('error', reject);
    child.on('exit', () => {
      childProcesses.delete(child);
      reject(new Error(`${name} did not start.`));
      if (!isStopping) console.error(`${name} has ended.`);
      stopAll(1);
    });
  });
}

/**
 * Returns the credentials of the app. If the stored ones are not those of an enabled app, replaces
 * the client secret of the app of this name, or registers it.
 */
async function findOrRegisterApp() {
  const stored = existsSync(REGISTRATION_FILE) ? JSON.parse(readFileSync(REGISTRATION_FILE, 'utf8')) : {};
  const apps = await runCli('apps', 'list');
  if (apps.some(({ client_id, disabled_at }) => client_id === stored.client_id && !disabled_at)) return stored;
  const app = await replaceSecretOrRegister(apps.find(({ name }) => name === APP_NAME));
  mkdirSync('data', { recursive: true });
  // The file contains the client secret.
  writeFileSync(REGISTRATION_FILE, `${JSON.stringify(app)}\n`, { mode: 0o600 });
  return app;
}

async function replaceSecretOrRegister(existing) {
  if (existing) {
    await runCli('apps', 'enable', existing.client_id);
    return runCli('apps', 'rotate-secret', existing.client_id);
  }
  return runCli(
    ...['apps', 'create', '--name', APP_NAME],
    ...['--description', 'Shows murals near you, keeps the ones you like as a walk, and suggests changes.'],
    ...['--redirect-uri', `${APP_ORIGIN}/callback`, '--post-logout-redirect-uri', `${APP_ORIGIN}/`],
    ...['--scope', SCOPES, '--required-scope', 'openid', 'markers:read'],
  );
}

async function runCli(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli.js', ...args, '--json']);
  return JSON.parse(stdout);
}

/** Stops both processes. This process ends with the code when they have ended. */
function stopAll(code) {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = code;
  for (const child of childProcesses) child.kill();
}
