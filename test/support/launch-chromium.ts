import { resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';

/** Chromium does not start with a sandbox as root, which is the user in a container. */
const ARGS = ['--no-sandbox', '--disable-gpu'];

/**
 * Sets the font of the pages on Linux, so that they have the same size on every machine. Its
 * letters are as wide as those of phones. DejaVu Sans, the default of many systems, is wider.
 */
const ENV = { ...process.env, FONTCONFIG_FILE: resolve('test/support/fonts.conf') };

/** Starts the Chromium that `findChromium` finds. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGS, env: ENV });
}
