import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The sections of RFC 9700 with recommendations or attacks. */
const RFC_9700_SECTIONS = [
  '2.1 Protecting Redirect-Based Flows',
  '2.1.1 Authorization Code Grant',
  '2.1.2 Implicit Grant',
  '2.2.1 Access Tokens',
  '2.2.2 Refresh Tokens',
  '2.3 Access Token Privilege Restriction',
  '2.4 Resource Owner Password Credentials Grant',
  '2.5 Client Authentication',
  '2.6 Other Recommendations',
  '4.1 Insufficient Redirection URI Validation',
  '4.2 Credential Leakage via Referer Headers',
  '4.3 Credential Leakage via Browser History',
  '4.4 Mix-Up Attacks',
  '4.5 Authorization Code Injection',
  '4.6 Access Token Injection',
  '4.7 Cross-Site Request Forgery',
  '4.8 PKCE Downgrade Attack',
  '4.9 Access Token Leakage at the Resource Server',
  '4.10 Misuse of Stolen Access Tokens',
  '4.11 Open Redirection',
  '4.12 307 Redirect',
  '4.13 TLS Terminating Reverse Proxies',
  '4.14 Refresh Token Protection',
  '4.15 Client Impersonating Resource Owner',
  '4.16 Clickjacking',
  '4.17 Attacks on In-Browser Communication Flows',
];

/** A bullet that names a test file. */
const TEST_PATTERN = /^- `(test\/[\w./-]+\.test\.ts)`$/gm;

describe('docs/security.md', () => {
  let text: string;

  beforeAll(async () => {
    text = await readFile('docs/security.md', 'utf8');
  });

  it('has a section for each section of RFC 9700 in order', () => {
    const headings = [...text.matchAll(/^### ([24]\.\d.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(RFC_9700_SECTIONS);
  });

  it('names the tests of each protection', () => {
    const sections = text.split(/^### /m).slice(1);
    for (const section of sections) {
      const bullets = section.match(/(?<=^Tests:\n\n)(?:- .*\n(?: {2}.*\n)*)+/m)?.[0].match(/^- /gm) ?? [];
      const tests = section.match(TEST_PATTERN) ?? [];
      expect({ section, tests: tests.length > 0 && tests.length === bullets.length }).toEqual({ section, tests: true });
    }
  });

  it('names existing test files', () => {
    const named = [...text.matchAll(TEST_PATTERN)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(RFC_9700_SECTIONS.length);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});
