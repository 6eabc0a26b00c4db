import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of the Chromium in `CHROMIUM`, or of the installed one. */
export function findChromium(): string {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM is ${named}, which cannot be run: set it to the path of a Chromium.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const places = ['chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = ['/usr/bin/chromium', ...places].find(isExecutable);
  if (found) return found;
  throw new Error(
    'There is no Chromium to try the pages in: install one (on Debian, apt-get install chromium), or set CHROMIUM to its path.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Stops the test run at its start when Chromium is not installed. */
export default function requireChromium(): void {
  findChromium();
}
