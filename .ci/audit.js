// Checks the dependencies for known vulnerabilities. The exit code is 1 if there are high or
// critical ones, and 2 if the registry did not respond.
//
//   node .ci/audit.js [--allowed FILE] [FOLDER…]
//
// Each folder has a package-lock.json. The default is the folders that people run or copy, so not
// `test/tools`. The file `.ci/audit-allowed.json` lists accepted advisories as
// { "advisory": "GHSA-…", "reason": "why it does not affect us", "until": "2026-12-31" };
// after that day an advisory counts again.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const FAILING_SEVERITIES = ['high', 'critical'];
const DEFAULT_FOLDERS = ['.', 'bench', 'examples/mural-walk', 'examples/pocket-map'];

const { values, positionals } = parseArgs({
  options: { allowed: { type: 'string', default: new URL('audit-allowed.json', import.meta.url).pathname } },
  allowPositionals: true,
});
const allowedAdvisories = readAllowedAdvisories(values.allowed);
const outcomes = (positionals.length > 0 ? positionals : DEFAULT_FOLDERS).map(auditFolder);
process.exitCode = outcomes.includes('vulnerable') ? 1 : outcomes.includes('not audited') ? 2 : 0;

/** Audits one lock file and prints the result. */
function auditFolder(folder) {
  const npmArgs = ['audit', '--omit=dev', '--package-lock-only', '--json'];
  const { stdout, error } = spawnSync('npm', npmArgs, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const report = parseJson(stdout);
  if (!report?.vulnerabilities || !report.metadata) return reportNotAudited(folder, report, error);
  const severe = listSevereAdvisories(report.vulnerabilities);
  for (const { severity, id, name, title, url } of severe) {
    const exception = allowedAdvisories.find(({ advisory }) => advisory === id);
    const note = exception ? ` (allowed until ${exception.until}: ${exception.reason})` : '';
    console.log(`${folder}: ${severity}: ${name}: ${title} ${url}${note}`);
  }
  const counted = severe.filter(({ id }) => !allowedAdvisories.some(({ advisory }) => advisory === id));
  const { total } = report.metadata.dependencies;
  console.log(`${folder}: audited, ${total} packages: ${counted.length} high or critical advisories.`);
  return counted.length > 0 ? 'vulnerable' : 'audited';
}

/**
 * Returns each high or critical advisory once. Skips packages that only depend on a vulnerable one.
 */
function listSevereAdvisories(vulnerabilities) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((entry) => typeof entry === 'object'),
  );
  const severe = advisories.filter(({ severity }) => FAILING_SEVERITIES.includes(severity));
  const withIds = severe.map((advisory) => ({ ...advisory, id: advisory.url.split('/').at(-1) }));
  return [...new Map(withIds.map((advisory) => [`${advisory.name} ${advisory.id}`, advisory])).values()];
}

function reportNotAudited(folder, report, error) {
  const detail = report?.message ?? report?.error?.summary ?? error?.message ?? 'npm printed no JSON';
  const reason = [404, 405, 501].includes(report?.statusCode)
    ? 'the registry has no audit endpoint'
    : 'the registry did not respond';
  console.error(`!!! ${folder}: NOT AUDITED, ${reason}: ${detail}`);
  return 'not audited';
}

/**
 * Returns the accepted advisories, without expired ones.
 * @throws Error if an entry is incomplete
 */
function readAllowedAdvisories(file) {
  const today = new Date().toISOString().slice(0, 10);
  return JSON.parse(readFileSync(file, 'utf8')).filter(({ advisory, reason, until }) => {
    const isComplete = advisory && reason && /^\d{4}-\d\d-\d\d$/.test(until ?? '');
    if (!isComplete) throw new Error(`${file}: an entry takes an advisory, a reason, and a day until which it holds.`);
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
