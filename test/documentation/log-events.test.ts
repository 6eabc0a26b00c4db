import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { FRAMEWORK_EVENT, LOG_EVENTS } from '../../src/platform/logging/event-logger.js';

/** A call that logs an event, such as `logger.log('request', …`. */
const LOG_CALL = /\blogger\.log\(\s*'(\w+)'/g;

describe('The events of the log', () => {
  it('are those of the table in docs/monitor.md, with their levels', () => {
    expect(readDocumentedEvents()).toEqual({ ...readDeclaredEvents(), [FRAMEWORK_EVENT]: 'any' });
  });

  it('are those that the source logs', () => {
    const logged = readSources().flatMap(({ text }) => [...text.matchAll(LOG_CALL)].map(([, event]) => event!));
    expect([...new Set(logged)].sort()).toEqual(Object.keys(readDeclaredEvents()).sort());
  });

  it('are logged with EventLogger only', () => {
    const others = readSources().filter(
      ({ path, text }) =>
        !path.startsWith('src/platform/logging/') && /\bnew (Console)?Logger\(|\bconsole\./.test(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

/** Returns the level of each event: those of the platform, and those that modules declare. */
function readDeclaredEvents(): Record<string, string> {
  const declared = Object.entries<string>(LOG_EVENTS);
  for (const { path, text } of readSources()) {
    if (text.includes('new EventLogger('))
      collectOwnEvents(ts.createSourceFile(path, text, ts.ScriptTarget.Latest), declared);
  }
  const events = Object.fromEntries(declared);
  if (Object.keys(events).length < declared.length) throw new Error('An event is declared twice.');
  return events;
}

/** Adds the members of each object that is the second argument of `new EventLogger(…)`. */
function collectOwnEvents(node: ts.Node, declared: [string, string][]): void {
  ts.forEachChild(node, (child) => collectOwnEvents(child, declared));
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'EventLogger') return;
  const ownEvents = node.arguments?.[1];
  if (!ownEvents) return;
  if (!ts.isObjectLiteralExpression(ownEvents)) throw new Error('The events of a logger are not an object literal.');
  for (const member of ownEvents.properties) {
    if (!ts.isPropertyAssignment(member) || !ts.isIdentifier(member.name) || !ts.isStringLiteral(member.initializer))
      throw new Error('An event of a logger is not a name with a level.');
    declared.push([member.name.text, member.initializer.text]);
  }
}

/** Returns the level of each event in the table. */
function readDocumentedEvents(): Record<string, string> {
  const rows = readFileSync('docs/monitor.md', 'utf8').matchAll(/^\| `(\w+)` \| `?(debug|info|warn|error|any)`? \|/gm);
  return Object.fromEntries([...rows].map(([, event, level]) => [event!, level!]));
}

function readSources(): { path: string; text: string }[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: join('src', path), text: readFileSync(join('src', path), 'utf8') }));
}
