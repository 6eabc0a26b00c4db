// Ends the test run with an error message if this Node.js is too old, before a native module
// crashes it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [, oldestMajor, oldestMinor] = /(\d+)\.(\d+)/.exec(engines.node).map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(`Node.js ${process.versions.node} is too old for the tests: use npm test, which brings Node.js 24.`);
  process.exit(1);
}
