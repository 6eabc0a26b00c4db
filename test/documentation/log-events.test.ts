import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FRAMEWORK_EVENT, LOG_EVENTS } from '../../src/platform/logging/log-events.js';

/** A call that logs an event, such as `logger.log('request', …`. */
const LOG_CALL = /\blogger\.log\(\s*'(\w+)'/g;

describe('The events of the log', () => {
  it('are those of the table in docs/operations.md, with their levels', () => {
    expect(readDocumentedEvents()).toEqual({ ...LOG_EVENTS, [FRAMEWORK_EVENT]: 'any' });
  });

  it('are those that the source logs', () => {
    const logged = readSources().flatMap(({ text }) => [...text.matchAll(LOG_CALL)].map(([, event]) => event!));
    expect([...new Set(logged)].sort()).toEqual(Object.keys(LOG_EVENTS).sort());
  });

  it('are logged with EventLogger only', () => {
    const others = readSources().filter(
      ({ path, text }) =>
        !path.startsWith('src/platform/logging/') && /\bnew (Console)?Logger\(|\bconsole\./.test(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

/** Returns the level of each event in the table. */
function readDocumentedEvents(): Record<string, string> {
  const rows = readFileSync('docs/operations.md', 'utf8').matchAll(
    /^\| `(\w+)` \| `?(debug|info|warn|error|any)`? \|/gm,
  );
  return Object.fromEntries([...rows].map(([, event, level]) => [event!, level!]));
}

function readSources(): { path: string; text: string }[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: join('src', path), text: readFileSync(join('src', path), 'utf8') }));
}
