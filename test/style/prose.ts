import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A line that cannot be wrapped: a table row, HTML, one link, or one quoted test title. */
const UNWRAPPABLE_LINE = /^[|<]|^\s*[-*]?\s*!?\[[^\]]*\]\([^)]*\)[.,]?$|^\s*"[^"]*",?$/;

/** A text and its location: one line of a file, or one message. */
export interface Text {
  place: string;
  text: string;
}

/** Lists the lines that are comments, and the comments at the end of a line of code. */
export function listComments(): Text[] {
  return listFiles('*.ts', '*.tsx', '*.js', '*.sh', '.ci/run').flatMap((file) =>
    readLines(file).flatMap(({ place, text }) => {
      if (/^\s*(\/\/|\/?\*|#)/.test(text)) return [{ place, text }];
      const comment = / \/\/ .*$/.exec(text)?.[0];
      return comment === undefined ? [] : [{ place, text: comment }];
    }),
  );
}

/** Lists the lines of all documents, except code blocks and lines that cannot be wrapped. */
export function listProse(): Text[] {
  return listFiles('*.md').flatMap((file) => {
    let isCode = false;
    return readLines(file).filter(({ text }) => {
      if (/^\s*(```|~~~)/.test(text)) isCode = !isCode;
      return !isCode && !UNWRAPPABLE_LINE.test(text);
    });
  });
}

/** Lists the rows of the tables in all documents. */
export function listTableRows(): Text[] {
  return listFiles('*.md').flatMap((file) => readLines(file).filter(({ text }) => text.startsWith('|')));
}

/** Lists the lines with the title of a test or of a group of tests. */
export function listTestTitles(): Text[] {
  return listFiles('test/*.test.ts').flatMap((file) =>
    readLines(file).filter(({ text }) => /^\s*((it|describe)(\.\w+)*(\(.*\))?|[\])]+)\(['"`]/.test(text)),
  );
}

/**
 * Lists the messages in the code: string literals, template literals and JSX texts of several words.
 * These are the texts of pages, errors, logs, commands, metrics, the OpenAPI document and the demo.
 */
export function listMessages(): Text[] {
  const files = listFiles('src/*.ts', 'src/*.tsx', 'examples/*.js', 'scripts/*.js', 'deploy/*.js', 'bench/*.js');
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const messages: Text[] = [];
    const visit = (node: ts.Node): void => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (isText(node) && /\w \w/.test(node.text)) messages.push({ place: `${file}:${line}`, text: node.text });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return messages;
  });
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
}

/** Lists the tracked files that match a pattern, except the tests of the language. */
function listFiles(...patterns: string[]): string[] {
  const files = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter((file) => !file.startsWith('test/style/'));
}

function readLines(file: string): Text[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }));
}
