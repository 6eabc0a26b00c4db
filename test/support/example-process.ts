import { expect } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './launch-chromium.js';
import { findFreePort } from './free-port.js';
import { createTempFolder, type TempFolder } from './temp-folder.js';

/** An example that a script starts in an empty folder, with a page in Chromium. */
export class ExampleProcess {
  private constructor(
    private readonly folder: TempFolder,
    private readonly process: ChildProcess,
    private readonly browser: Browser,
    readonly page: Page,
    /** Origin of the service. */
    readonly serviceUrl: string,
    /** Password of the demo person mila. */
    readonly password: string,
  ) {}

  /**
   * Starts an example and waits until its app is ready.
   * @param script the file of the script
   * @param example the folder of the app
   * @param appUrl the address that the script prints
   */
  static async start(script: string, example: string, appUrl: string): Promise<ExampleProcess> {
    if (!existsSync(`${example}/node_modules`)) execFileSync('npm', ['ci'], { cwd: example, stdio: 'ignore' });
    const folder = await createTempFolder();
    for (const name of ['dist', 'examples', 'scripts', 'node_modules', 'package.json'])
      await symlink(resolve(name), join(folder.path, name));
    const port = await findFreePort();
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port) };
    const program = spawn(process.execPath, [resolve(script)], { cwd: folder.path, env });
    const output = await waitForOutput(program, `Open ${appUrl}`);
    const password = /^ +mila +(\S+)/m.exec(output)![1]!;
    const browser = await launchChromium();
    const page = await browser.newPage({ locale: 'en' });
    return new ExampleProcess(folder, program, browser, page, `http://localhost:${port}`, password);
  }

  /** Stops the example, which must end with code 0. */
  async stop(): Promise<void> {
    await this.browser.close();
    const ended = once(this.process, 'exit');
    this.process.kill();
    expect(await ended).toEqual([0, null]);
    await this.folder.remove();
  }

  clickButton = (name: string | RegExp): Promise<void> => this.page.getByRole('button', { name }).first().click();

  clickLink = (name: string | RegExp): Promise<void> => this.page.getByRole('link', { name }).first().click();

  waitForText = (text: string | RegExp): Promise<void> => this.page.getByText(text).first().waitFor();
}

/** Waits until a process prints a text. @returns its output */
function waitForOutput(program: ChildProcess, text: string): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(text)) resolve(output);
    };
    program.stdout!.on('data', read);
    program.stderr!.on('data', read);
    program.once('exit', () => reject(new Error(`The program ended: ${output}`)));
  });
}
