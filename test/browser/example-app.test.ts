import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../support/find-chromium.js';
import { findFreePort, createTempFolder } from '../support/server-process.js';

const APP_URL = 'http://127.0.0.1:4100';

describe('npm run example', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let example: ChildProcess;
  let browser: Browser;
  let page: Page;
  let password: string;

  beforeAll(async () => {
    if (!existsSync('examples/mural-walk/node_modules'))
      execFileSync('npm', ['ci'], { cwd: 'examples/mural-walk', stdio: 'ignore' });
    folder = await createTempFolder();
    for (const name of ['dist', 'examples']) await symlink(resolve(name), join(folder.path, name));
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(await findFreePort()) };
    example = spawn(process.execPath, [resolve('scripts/run-example.js')], { cwd: folder.path, env });
    const printed = await waitForOutput(example, `Open ${APP_URL}`);
    password = /^ +mila +(\S+)/m.exec(printed)![1]!;
    browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
    page = await browser.newPage({ locale: 'en' });
  });
  afterAll(async () => {
    await browser.close();
    const ended = once(example, 'exit');
    example.kill();
    expect(await ended).toEqual([0, null]);
    await folder.remove();
  });

  const press = (name: string | RegExp): Promise<void> => page.getByRole('button', { name }).first().click();
  const follow = (name: string | RegExp): Promise<void> => page.getByRole('link', { name }).first().click();
  const sees = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

  it('signs a person in, who leaves out that collections can be changed', async () => {
    await page.goto(APP_URL);
    await follow('Sign in with the street art map');
    await page.getByLabel('Username or e-mail').fill('mila');
    await page.getByLabel('Password').fill(password);
    await press('Sign in');
    await page.getByRole('checkbox', { name: /^collections can be created/ }).uncheck();
    await press('Allow');
    await page.getByRole('heading', { name: 'Nearby, Mila Vos' }).waitFor();
  });

  it('shows markers near a place, the nearest first', async () => {
    await follow('Null Harbour');
    await page.getByRole('heading', { name: 'Zero, Zero' }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Zero, Zero');
  });

  it('shows what a missing scope looks like, asks for it, and then keeps a collection', async () => {
    await press(/^Add to my walk/);
    await sees('This app needs the collections:write scope to do that.');
    await follow(/^Ask for it/);
    await press('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await press(/^Add to my walk/);
    await sees('It is on your walk.');
    await press(/^Remove/);
    await sees('It is off your walk.');
  });

  it('suggests an edit, which its author cannot accept, whatever the app may do', async () => {
    await follow('Nearby');
    await follow('Echo Wall');
    await page.getByLabel('Year').fill('2020');
    await page.getByLabel('Why').fill('It says so on the wall.');
    await press('Suggest it');
    await sees('Thank you! Your suggestion is open');
    await follow('Suggestions');
    await press(/^Accept it myself/);
    await sees('This app needs the edits:review scope to do that.');
    await follow(/^Ask for it/);
    await press('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await follow('Suggestions');
    await press(/^Accept it myself/);
    await sees(/Nobody can accept/);
  });

  it('refreshes its tokens', async () => {
    await follow('Access');
    await sees('Refreshed so far: 0');
    await press('Refresh now');
    await sees('Refreshed so far: 1');
  });

  it('signs out of both, and lets its access go', async () => {
    await press('Sign out');
    await follow('Sign in with the street art map');
    await page.getByLabel('Password').waitFor();
  });
});

/** What a program has printed once it says a thing. */
function waitForOutput(program: ChildProcess, text: string): Promise<string> {
  let printed = '';
  return new Promise((said, failed) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes(text)) said(printed);
    };
    program.stdout!.on('data', read);
    program.stderr!.on('data', read);
    program.once('exit', () => failed(new Error(`It ended: ${printed}`)));
  });
}
