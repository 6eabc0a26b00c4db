import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isPostgres } from '../support/database.js';
import { findFreePort } from '../support/free-port.js';
import { listPanelExpressions, listMetricNames } from '../support/prometheus-files.js';
import { ServerCluster } from '../support/server-cluster.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const tests = parse(readFileSync('deploy/prometheus/alerts.test.yml', 'utf8')) as {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
};
const runbook = readFileSync('docs/runbook.md', 'utf8');

/** Metrics of a service on PostgreSQL, which several processes need. */
const POSTGRES_METRICS = [
  'clock_offset_seconds',
  'street_art_database_connections',
  'street_art_worker_up',
  'street_art_worker_replacements_total',
];

/** Metrics of a service with `REDIS_URL`. */
const REDIS_METRICS = ['street_art_redis_up'];

/** Metrics that Prometheus itself creates. */
const PROMETHEUS_METRICS = ['up'];

describe('Each alert', () => {
  it('has a section in the runbook, and each section has an alert', () => {
    const sections = [...runbook.matchAll(/^### (\S+)$/gm)].map(([, name]) => name!);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });

  it('links to its section', () => {
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`https://map.example.org/docs/runbook#${alert.toLowerCase()}`);
  });

  it('has a severity and a summary', () => {
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  it('has a unit test in which it fires, and one in which it does not', () => {
    const cases = tests.tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    for (const { alert } of rules) {
      const expected = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts.length);
      expect({ alert, expected: expected.sort() }).toEqual({ alert, expected: [0, 1] });
    }
  });
});

describe('The metrics of the alerts and of the dashboard', () => {
  let cluster: ServerCluster;
  let names: string[];

  beforeAll(async () => {
    const METRICS_PORT = String(await findFreePort());
    cluster = await ServerCluster.start({ environment: { METRICS_PORT, ...(isPostgres && { WORKERS: '2' }) } });
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!);
  });
  afterAll(() => cluster.stop());

  it('are metrics of the service', () => {
    const expressions = [...rules.map(({ expr }) => expr), ...listPanelExpressions()];
    const used = new Set(expressions.flatMap(listMetricNames));
    expect(used.size).toBeGreaterThan(10);
    const known = [...names, ...PROMETHEUS_METRICS, ...REDIS_METRICS, ...(isPostgres ? [] : POSTGRES_METRICS)];
    const unknown = [...used].filter((name) => !known.includes(name.replace(/_(bucket|count|sum)$/, '')));
    expect(unknown).toEqual([]);
  });

  it('include each metric that operators should watch', () => {
    const used = new Set(listPanelExpressions().flatMap(listMetricNames));
    const shown = [...used].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(names.filter((name) => name.startsWith('street_art_') && !shown.includes(name))).toEqual([]);
  });
});

describe('The dashboard', () => {
  it('has panels with own ids and places', () => {
    const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8'));
    const ids = panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = panels.map(({ gridPos }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) => gridPos);
    const cells = places.flatMap(({ x, y, w, h }: (typeof places)[number]) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
