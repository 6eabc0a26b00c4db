import { describe, expect, it } from '@jest/globals';
import { composeMail, type MailKind } from '../../src/identity/accounts/account-mail.service.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { renderHtml, renderText, writeMailContent } from '../../src/platform/mail/render-mail.js';

const BASE_URL = 'https://example.org/map';
const LANGUAGES = Object.keys(MESSAGES_BY_LANGUAGE) as Language[];
const { greeting: _greeting, footer: _footer, ...KIND_TEXTS } = MESSAGES_BY_LANGUAGE.en.mail;
const KINDS = Object.keys(KIND_TEXTS) as MailKind[];

const LISTS = {
  scopes: ['See markers'],
  oldUris: ['https://walk.example/callback'],
  newUris: ['https://walk.example/new'],
};

const VALUES = {
  app: 'Mural Walk',
  passkey: 'Phone',
  browser: 'Firefox on Linux',
  address: '192.0.2.0',
  time: '2026-11-22T21:20:00.000Z',
  newEmail: 'new.person@example.net',
};

interface TestContent {
  kind?: MailKind;
  language?: Language;
  values?: Record<string, string>;
  lists?: Record<string, string[]>;
  link?: string;
}

const write = ({
  kind = 'appConnected',
  language = 'en',
  values,
  ...rest
}: TestContent): Record<'text' | 'html' | 'subject', string> => {
  const recipient = { accountId: null, email: 'ann@example.org', name: 'Ann' };
  const mail = composeMail(kind, language, BASE_URL, { values });
  const content = writeMailContent({ ...mail, recipient, ...rest }, BASE_URL);
  return { text: renderText(content), html: renderHtml(content), subject: content.subject };
};

describe('The content of an e-mail', () => {
  it.each(LANGUAGES)('has no unfilled placeholder in %s', (language) => {
    for (const kind of KINDS) {
      const { text, html, subject } = write({ kind, language, values: VALUES, lists: LISTS });
      expect([subject, text, html].join()).not.toMatch(/[{}]|undefined/);
      expect(html).toContain(`<html lang="${language}">`);
    }
  });

  it('has a link only to the given URL or to a page of this service', () => {
    const link = 'https://example.org/map/verify-email?token=x&y="><b>';
    for (const kind of ['confirmEmail', 'resetPassword'] as const) {
      expect(write({ kind, link }).text).toContain(`:\n${link}\n`);
      expect(write({ kind, link }).html).toContain('href="https://example.org/map/verify-email?token=x&amp;y=&quot;>');
      expect(write({ kind }).html).not.toContain('href=');
    }
    const pages = KINDS.flatMap((kind) => [...write({ kind }).html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url));
    expect(new Set(pages.map((url) => url!.replace(BASE_URL, '')))).toEqual(
      new Set([
        '/',
        '/forgot-password',
        '/account',
        '/account/password',
        '/account/passkeys',
        '/account/sessions',
        '/account/apps',
        '/developer/apps',
      ]),
    );
  });

  it.each(['emailTaken', 'accountDeleted'] as const)('has no link in %s', (kind) => {
    expect(write({ kind, link: 'https://example.org/map/link' }).html).not.toMatch(/href=|map\/link/);
  });

  it('escapes values in the HTML part', () => {
    const { html, text } = write({ values: { app: '<img src=x onerror=alert(1)>&"' } });
    expect(html).toContain('&lt;img src=x');
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(html).toContain('<img src="https://example.org/map/assets/icon.png" alt');
    expect(text).toContain('<img src=x onerror=alert(1)>&"');
  });

  it.each(['\r\n\r\nVisit https://evil.example', '\u2028x', '\u202Etxet', '\tx', '\u0000x'])(
    'keeps a value with %j on its line',
    (suffix) => {
      const { text } = write({ values: { app: `App${suffix}` } });
      expect(text).toMatch(/^The app App \S.* can now act for you\.$/m);
      expect(text.split('\n\n')).toHaveLength(write({ values: { app: 'App' } }).text.split('\n\n').length);
    },
  );

  it('shortens a long value', () => {
    expect(write({ values: { app: 'x'.repeat(5000) } }).text.length).toBeLessThan(1000);
  });

  it('has one line for each item of a list', () => {
    const long = `https://walk.example/${'x'.repeat(600)}`;
    const lists = { oldUris: ['https://walk.example/<b>', 'https://a.example/\r\n\r\nNow:'], newUris: [long] };
    const { text, html } = write({ kind: 'redirectUrisChanged', values: { app: 'App' }, lists });
    const items = ['- https://walk.example/<b>', '- https://a.example/ Now:', '', 'Now:', `- ${long.slice(0, 500)}`];
    expect(text).toContain(['Before:', ...items, ''].join('\n'));
    expect(html).toContain(
      'Before:<br/>- https://walk.example/&lt;b><br/>- https://a.example/ Now:<br/><br/>Now:<br/>',
    );
  });

  it('does not replace placeholders inside values', () => {
    expect(write({ values: { app: '{name}', scopes: 'x' } }).text).toContain('The app {name} can now act for you.');
  });

  it('leaves out a paragraph whose value is missing', () => {
    expect(write({ values: { app: 'App' } }).text).not.toContain('You allowed it');
    expect(write({ values: VALUES, lists: LISTS }).text).toContain('You allowed it:\n- See markers');
    expect(write({ kind: 'newSignIn', values: { browser: 'Firefox' } }).text).not.toContain('Firefox');
  });

  it('hides the local part of the new address', () => {
    const { text, html } = write({ kind: 'emailChanged', values: VALUES });
    for (const part of [text, html]) {
      expect(part).toContain('n…@example.net');
      expect(part).not.toContain('new.person');
    }
  });

  it('formats the time in UTC in the language', () => {
    expect(write({ kind: 'newSignIn', values: VALUES, language: 'de' }).text).toContain(
      '22. November 2026 um 21:20 UTC',
    );
  });

  it('greets by the name in the values, else by the name of the recipient', () => {
    expect(write({ kind: 'confirmEmail', values: { name: 'ann-lee' } }).text).toMatch(/^Hello ann-lee,\n/);
    expect(write({ kind: 'confirmEmail' }).text).toMatch(/^Hello Ann,\n\nThe account “Ann” /);
  });
});
