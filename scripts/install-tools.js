// Installs the packages of `test/tools`, unless they are installed.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const FOLDER = 'test/tools';
const installed = statSync(`${FOLDER}/node_modules/.package-lock.json`, { throwIfNoEntry: false });
if (!installed || installed.mtimeMs < statSync(`${FOLDER}/package-lock.json`).mtimeMs) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', FOLDER], { stdio: 'inherit' });
}
