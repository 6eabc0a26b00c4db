import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** As root, which is who runs tests in a container, Chromium starts without a sandbox or not at all. */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu'];

/** The one that `CHROMIUM` names, or else the one that is installed. */
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

/** Stops a run that could try nothing before it begins. */
export default function requireChromium(): void {
  findChromium();
}
