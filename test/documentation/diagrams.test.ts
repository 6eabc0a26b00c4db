import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TestServer } from '../support/test-server.js';

const FOLDER = 'docs/images';

const MAX_BYTES = 12_000;
const MAX_WIDTH = 760;
const MIN_FONT_SIZE = 14;

/** What a diagram must not contain: scripts, HTML, and references outside of the file. */
const FORBIDDEN_PATTERN = /<script|<foreignObject|<image|\bhref=|\bsrc=|\bon\w+=|@import|https?:|url\((?!#)/i;

/** The labels of a source in Mermaid, by the first word of the source. */
const LABEL_PATTERNS: Record<string, RegExp> = {
  flowchart: /"([^"]+)"/g,
  sequenceDiagram: /(?: as |: )(.+)$/gm,
  'stateDiagram-v2': /"([^"]+)"|^\s*(\w+)(?= -->)|--> (\w+)| : (.+)$/gm,
};

/** States without a label: a choice, and the name of a state that has another text. */
const UNLABELED_STATE_PATTERN = /state (?:"[^"]+" as )?(\w+)/g;

const names = readdirSync(FOLDER);
const diagrams = names.filter((name) => name.endsWith('.svg'));

describe.each(diagrams)('The diagram %s', (name) => {
  const svg = readFileSync(join(FOLDER, name), 'utf8');

  it('has a source with the same labels', () => {
    const source = readFileSync(join(FOLDER, name.replace(/svg$/, 'mmd')), 'utf8');
    const labels = listLabels(source);
    expect(labels.length).toBeGreaterThan(5);
    expect(listTexts(svg)).toEqual(labels);
  });

  it('has a title and a description, which are its accessible name', () => {
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="title desc">/);
    expect(svg).toMatch(/<title id="title">\w[^<]{10,}<\/title>/);
    expect(svg).toMatch(/<desc id="desc">[A-Z][^<]{50,}\.<\/desc>/);
  });

  it('has no script, no HTML and no external reference', () => {
    expect(FORBIDDEN_PATTERN.exec(svg.replace('xmlns="http://www.w3.org/2000/svg"', ''))?.[0]).toBeUndefined();
  });

  it('has a color for light and for dark pages in each class', () => {
    const [light, dark, ...others] = readStyle(svg).split('@media (prefers-color-scheme: dark)');
    expect(others).toEqual([]);
    const colored = listColoredSelectors(light!);
    expect(colored.length).toBeGreaterThan(5);
    expect(listColoredSelectors(dark!)).toEqual(colored);
    expect(/ (fill|stroke|style)="/.exec(svg)?.[0]).toBeUndefined();
  });

  it('is small, narrow and readable', () => {
    expect(statSync(join(FOLDER, name)).size).toBeLessThanOrEqual(MAX_BYTES);
    const [, width, height, box] = /<svg [^>]*width="(\d+)" height="(\d+)" viewBox="([^"]*)"/.exec(svg)!;
    expect(box).toBe(`0 0 ${width} ${height}`);
    expect(Number(width)).toBeLessThanOrEqual(MAX_WIDTH);
    const sizes = [...readStyle(svg).matchAll(/font(?:-size)?: (\d+)px/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MIN_FONT_SIZE);
  });
});

describe('The diagrams', () => {
  it('have the same style sheet and the same arrows', () => {
    const styles = diagrams.map((name) => {
      const svg = readFileSync(join(FOLDER, name), 'utf8');
      return readStyle(svg) + /<defs>.*<\/defs>/s.exec(svg)![0];
    });
    expect(new Set(styles).size).toBe(1);
  });

  it('include each source', () => {
    const sources = names.filter((name) => name.endsWith('.mmd'));
    expect(sources.map((name) => name.replace(/mmd$/, 'svg'))).toEqual(diagrams);
  });

  it('list the folders of each part of src', () => {
    const texts = listTexts(readFileSync(join(FOLDER, 'parts.svg'), 'utf8'));
    for (const part of ['app', 'map', 'identity', 'platform']) {
      const entries = readdirSync(join('src', part), { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
      const text = texts.find((one) => one.startsWith(`src/${part} `))!;
      const listed = text.split(', ').map((words) => words.split(' ').at(-1)!);
      expect({ part, listed: listed.sort() }).toEqual({ part, listed: folders.sort() });
    }
  });

  describe('on a server', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await TestServer.start();
    });
    afterAll(() => server.stop());

    it.each(diagrams)('include %s, which can use only its own style sheet', async (name) => {
      const response = await fetch(`${server.url}/docs/files/${name}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/svg+xml');
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      );
      expect(await response.text()).toBe(readFileSync(join(FOLDER, name), 'utf8'));
    });

    it('leave the policy of other images as it is', async () => {
      const image = await fetch(`${server.url}/docs/files/consent.png`);
      const policy = image.headers.get('content-security-policy');
      expect({ status: image.status, policy }).toEqual({
        status: 200,
        policy: expect.not.stringContaining('style-src'),
      });
    });
  });
});

/** Returns the different labels of a source, sorted, each in one line. */
function listLabels(source: string): string[] {
  const pattern = LABEL_PATTERNS[/^[\w-]+/.exec(source)![0]]!;
  const unlabeled = [...source.matchAll(UNLABELED_STATE_PATTERN)].map(([, state]) => state!);
  const labels = [...source.matchAll(pattern)].map(([, ...groups]) => groups.find((group) => group !== undefined)!);
  return toSortedSet(
    labels.filter((label) => !unlabeled.includes(label)).map((label) => label.replaceAll('<br/>', ' ')),
  );
}

/** Returns the different texts of a diagram, sorted, each in one line. */
function listTexts(svg: string): string[] {
  const texts = [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/gs)].map(([, content]) => content!);
  return toSortedSet(texts.map((content) => content.replace(/<tspan [^>]*\bx="[^>]*>/g, ' ').replace(/<[^>]+>/g, '')));
}

function toSortedSet(texts: string[]): string[] {
  return [...new Set(texts)].sort();
}

function readStyle(svg: string): string {
  return /<style>(.*)<\/style>/s.exec(svg)![1]!;
}

/** Returns the selectors of the rules that set a color, sorted. */
function listColoredSelectors(css: string): string[] {
  const rules = [...css.matchAll(/([\w., -]+) \{([^{}]*#[^{}]*)\}/g)];
  return toSortedSet(rules.flatMap(([, selectors]) => selectors!.split(',').map((selector) => selector.trim())));
}
