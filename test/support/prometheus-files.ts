import { readFileSync } from 'node:fs';

/** The variables of the dashboard, and values for them. */
const VARIABLES: [name: string, value: string][] = [
  ['$__rate_interval', '5m'],
  ['$job', 'street-art-map'],
];

/** Returns the PromQL expressions of the dashboard, with values for its variables. */
export function listPanelExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return expressions.map((expression) =>
    VARIABLES.reduce((text, [name, value]) => text.replaceAll(name, value), expression),
  );
}

/** Returns the names of the metrics in a PromQL expression. */
export function listMetricNames(expression: string): string[] {
  const withoutLabels = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '');
  // A name before a parenthesis is a function.
  return [...withoutLabels.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name);
}
