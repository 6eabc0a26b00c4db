import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../support/find-chromium.js';
import { findFreePort } from '../support/free-port.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const APP_URL = 'http://127.0.0.1:4100';

describe('npm run example', () => {
  let folder: TempFolder;
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
    const output = await waitForOutput(example, `Open ${APP_URL}`);
    password = /^ +mila +(\S+)/m.exec(output)![1]!;
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

  const clickButton = (name: string | RegExp): Promise<void> => page.getByRole('button', { name }).first().click();
  const clickLink = (name: string | RegExp): Promise<void> => page.getByRole('link', { name }).first().click();
  const waitForText = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

  it('signs an account in, without the scope for collections', async () => {
    await page.goto(APP_URL);
    await clickLink('Sign in with the street art map');
    await page.getByLabel('Username or e-mail').fill('mila');
    await page.getByLabel('Password').fill(password);
    await clickButton('Sign in');
    await page.getByRole('checkbox', { name: /^collections can be created/ }).uncheck();
    await clickButton('Allow');
    await page.getByRole('heading', { name: 'Nearby, Mila Vos' }).waitFor();
  });

  it('shows markers near a place, the nearest first', async () => {
    await clickLink('Null Harbour');
    await page.getByRole('heading', { name: 'Zero, Zero' }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Zero, Zero');
  });

  it('shows a missing scope, requests it, and then changes a collection', async () => {
    await clickButton(/^Add to my walk/);
    await waitForText('This app needs the collections:write scope to do that.');
    await clickLink(/^Ask for permission/);
    await clickButton('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await clickButton(/^Add to my walk/);
    await waitForText('Added to your walk.');
    await clickButton(/^Remove/);
    await waitForText('Removed from your walk.');
  });

  it('suggests an edit, which its author cannot accept', async () => {
    await clickLink('Nearby');
    await clickLink('Echo Wall');
    await page.getByLabel('Year').fill('2020');
    await page.getByLabel('Reason').fill('It says so on the wall.');
    await clickButton('Suggest the change');
    await waitForText('Your suggestion is open. A reviewer will look at it.');
    await clickLink('Suggestions');
    await clickButton(/^Accept/);
    await waitForText('This app needs the edits:review scope to do that.');
    await clickLink(/^Ask for permission/);
    await clickButton('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await clickLink('Suggestions');
    await clickButton(/^Accept/);
    await waitForText(/Authors cannot accept/);
  });

  it('refreshes its tokens', async () => {
    await clickLink('Access');
    await waitForText('Refreshes so far: 0');
    await clickButton('Refresh now');
    await waitForText('Refreshes so far: 1');
  });

  it('signs out of the app and the map', async () => {
    await clickButton('Sign out');
    await clickLink('Sign in with the street art map');
    await page.getByLabel('Password').waitFor();
  });
});

/** Waits until a process prints a text. @returns its output */
function waitForOutput(program: ChildProcess, text: string): Promise<string> {
  let output = '';
  return new Promise((fulfill, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(text)) fulfill(output);
    };
    program.stdout!.on('data', read);
    program.stderr!.on('data', read);
    program.once('exit', () => reject(new Error(`The program ended: ${output}`)));
  });
}
