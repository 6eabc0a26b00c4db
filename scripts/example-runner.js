// Starts the service and an example app. Ctrl-C stops both; if one ends, the other is stopped.
import { execFile, execSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const childProcesses = new Set();
let isStopping = false;

/**
 * Runs an example until Ctrl-C.
 * @param name the name of the app, under which it is registered
 * @param folder the folder of the app, with its package.json
 * @param registrationFile the file that keeps the credentials of the app
 * @param registration the options of `apps create`, without the name
 * @param startApp starts the app. It gets the issuer and the credentials, and returns the address.
 */
export async function runExample({ name, folder, registrationFile, registration, startApp }) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(0));
  try {
    if (process.env.DATABASE_URL === 'sqlite::memory:')
      throw new Error(
        'DATABASE_URL must not be sqlite::memory:, because the example opens the database in two processes.',
      );
    if (!existsSync(`${folder}/node_modules`)) execSync('npm ci', { cwd: folder, stdio: 'inherit' });

    // The output of the service goes through a pipe, so it cannot detect a terminal itself.
    const LOG_FORMAT = process.env.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json');
    const env = { ...process.env, LOG_FORMAT };
    const issuer = await startProgram('The service', 'dist/src/main.js', env, /listens at (http[\w.~:/[\]-]+)["\s]/);
    const credentials = await findOrRegisterApp(registrationFile, ['--name', name, ...registration]);
    const url = await startApp({ issuer, credentials });
    console.log(`
Open ${url} and sign in. The first start of the service printed the passwords of the demo people.
To create your own account:  npm run --silent cli -- accounts create --help
Press Ctrl-C to stop the service and the example.`);
  } catch (error) {
    if (!isStopping) console.error(error.message);
    stopAll(1);
  }
}

/** Starts a program and copies its output. @returns the URL that its output contains */
export function startProgram(name, file, env, pattern) {
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
 * Returns the credentials of the app. If the stored ones are not those of an enabled app, recovers
 * the app of this name, or registers it.
 */
async function findOrRegisterApp(file, registration) {
  const stored = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const apps = await runCli('apps', 'list');
  if (apps.some(({ client_id, disabled_at }) => client_id === stored.client_id && !disabled_at)) return stored;
  const app = await recoverOrRegister(
    apps.find(({ name }) => registration.includes(name)),
    registration,
  );
  mkdirSync('data', { recursive: true });
  // The file can contain a client secret.
  writeFileSync(file, `${JSON.stringify(app)}\n`, { mode: 0o600 });
  return app;
}

/** A public client has no secret to replace. */
async function recoverOrRegister(existing, registration) {
  if (!existing) return runCli('apps', 'create', ...registration);
  const { client_id } = await runCli('apps', 'enable', existing.client_id);
  return registration.includes('--public') ? { client_id } : runCli('apps', 'rotate-secret', client_id);
}

async function runCli(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli.js', ...args, '--json']);
  return JSON.parse(stdout);
}

/** Stops all programs. This process ends with the code when they have ended. */
function stopAll(code) {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = code;
  for (const child of childProcesses) child.kill();
}
