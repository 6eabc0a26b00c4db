// Asks the registry whether what we depend on has known holes. Ends with 1 where it has grave ones, and with 2 where nobody
// could be asked: that is no "nothing found".
//
//   node .ci/audit.js [--allowed FILE] [FOLDER…]      a folder holds a package-lock.json; by default all of ours
//
// An advisory that we live with for a while stands in the file of those allowed, `.ci/audit-allowed.json`, as
// { "advisory": "GHSA-…", "reason": "why it does not concern us", "until": "2026-12-31" }; after that day it counts again.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const FAILING_SEVERITIES = ['high', 'critical'];
const DEFAULT_FOLDERS = ['.', 'bench', 'examples/mural-walk'];

const { values, positionals } = parseArgs({
  options: { allowed: { type: 'string', default: new URL('audit-allowed.json', import.meta.url).pathname } },
  allowPositionals: true,
});
const allowedAdvisories = readAllowedAdvisories(values.allowed);
const outcomes = (positionals.length > 0 ? positionals : DEFAULT_FOLDERS).map(auditFolder);
process.exitCode = outcomes.includes('holes') ? 1 : outcomes.includes('not audited') ? 2 : 0;

/** Says what is known of one lock file. */
function auditFolder(folder) {
  const words = ['audit', '--omit=dev', '--package-lock-only', '--json'];
  const { stdout, error } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const report = parseJson(stdout);
  if (!report?.vulnerabilities || !report.metadata) return reportNotAudited(folder, report, error);
  const grave = listSevereAdvisories(report.vulnerabilities);
  for (const { severity, id, name, title, url } of grave) {
    const exception = allowedAdvisories.find(({ advisory }) => advisory === id);
    const note = exception ? ` (allowed until ${exception.until}: ${exception.reason})` : '';
    console.log(`${folder}: ${severity}: ${name}: ${title} ${url}${note}`);
  }
  const counted = grave.filter(({ id }) => !allowedAdvisories.some(({ advisory }) => advisory === id));
  const { total } = report.metadata.dependencies;
  console.log(`${folder}: audited, ${total} packages: ${counted.length} high or critical advisories.`);
  return counted.length > 0 ? 'holes' : 'audited';
}

/** Each grave advisory once; a package that only depends on a vulnerable one names that one by its name. */
function listSevereAdvisories(vulnerabilities) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one === 'object'));
  const grave = advisories.filter(({ severity }) => FAILING_SEVERITIES.includes(severity));
  const known = grave.map((one) => ({ ...one, id: one.url.split('/').at(-1) }));
  return [...new Map(known.map((one) => [`${one.name} ${one.id}`, one])).values()];
}

function reportNotAudited(folder, report, error) {
  const said = report?.message ?? report?.error?.summary ?? error?.message ?? 'npm said nothing that can be read';
  const reason = [404, 405, 501].includes(report?.statusCode)
    ? 'the registry has no audit endpoint'
    : 'nobody answered';
  console.error(`!!! ${folder}: NOT AUDITED, ${reason}: ${said}`);
  return 'not audited';
}

/** @throws Error where an entry lacks something; leaves out, and names, those whose day is over */
function readAllowedAdvisories(file) {
  const today = new Date().toISOString().slice(0, 10);
  return JSON.parse(readFileSync(file, 'utf8')).filter(({ advisory, reason, until }) => {
    const isWhole = advisory && reason && /^\d{4}-\d\d-\d\d$/.test(until ?? '');
    if (!isWhole) throw new Error(`${file}: an entry takes an advisory, a reason, and a day until which it holds.`);
    if (until < today) console.log(`${advisory} was allowed until ${until}, and counts again.`);
    return until >= today;
  });
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
