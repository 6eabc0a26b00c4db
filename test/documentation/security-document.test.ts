import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
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

/** The link of a section to the first of its tests. */
const TEST_LINK = /^\[Test\]\(\.\.\/(test\/[\w./-]+\.test\.ts)\)$/gm;

/** Sections without a protection of their own. */
const SECTIONS_WITHOUT_TESTS = ['Attackers', 'Where to go next'];

describe('The security documents', () => {
  const list = readFileSync('test/documentation/security-tests.json', 'utf8');
  const documents = Object.entries<Record<string, string[]>>(JSON.parse(list));

  it('have a section for each section of RFC 9700 in order', async () => {
    const text = await readFile('docs/rfc-9700.md', 'utf8');
    const headings = [...text.matchAll(/^### ([24]\.\d.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(RFC_9700_SECTIONS);
  });

  it.each(documents)('link the first listed test from each section of %s', async (file, testsBySection) => {
    const sections = (await readFile(file, 'utf8')).split(/^##+ /m).slice(1);
    const linked = sections
      .map((text) => ({ title: text.split('\n')[0]!, links: [...text.matchAll(TEST_LINK)].map(([, test]) => test) }))
      .filter(({ title, links }) => links.length > 0 || !isExempt(title));
    expect(linked).toEqual(Object.entries(testsBySection).map(([title, [first]]) => ({ title, links: [first] })));
  });

  it('list test files that exist', () => {
    const listed = documents.flatMap(([, testsBySection]) => Object.values(testsBySection).flat());
    expect(listed.length).toBeGreaterThan(RFC_9700_SECTIONS.length);
    expect(listed.filter((test) => !existsSync(test))).toEqual([]);
  });
});

/** Whether a heading has no protection of its own: it introduces others, or links to documents. */
function isExempt(title: string): boolean {
  return SECTIONS_WITHOUT_TESTS.includes(title) || title.startsWith('RFC 9700 §');
}
