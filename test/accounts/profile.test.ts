import { describe, expect, it } from '@jest/globals';
import { ProfilePicture } from '../../src/identity/accounts/profile/profile-picture.entity.js';
import { ProfilePicturesService } from '../../src/identity/accounts/profile/profile-pictures.service.js';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { issueAccessToken } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { drawPicture } from '../support/test-pictures.js';

const PROFILE_PATH = '/account/profile';

describe('Profile page', () => {
  const fixture = OAuthFixture.use();

  const readAccount = (): Promise<Account> =>
    fixture.server.entityManager.findOneByOrFail(Account, { id: fixture.account.id });
  const countPictures = (): Promise<number> =>
    fixture.server.entityManager.countBy(ProfilePicture, { accountId: fixture.account.id });
  const save = (fields: Record<string, string | Blob>, headers = {}): Promise<PageResponse> =>
    fixture.browser.postMultipart(PROFILE_PATH, { name: 'Mila Vos', language: '', ...fields }, headers);
  const upload = async (bytes: Uint8Array, type = 'image/png'): Promise<PageResponse> =>
    save({ picture: new Blob([new Uint8Array(bytes)], { type }) });
  const uploadValid = async (): Promise<string> => {
    expect((await upload(await drawPicture().png().toBuffer())).location).toBe(`${PROFILE_PATH}?done=saved`);
    return (await readAccount()).picture!;
  };
  const { fieldErrors } = MESSAGES_BY_LANGUAGE.en;

  describe('rejects', () => {
    it('a request without a session, and returns to the page after the sign-in', async () => {
      const stranger = new BrowserClient(fixture.server);
      const expected = { status: 303, location: '/sign-in?return_to=%2Faccount%2Fprofile' };
      expect(await stranger.get(PROFILE_PATH)).toMatchObject(expected);
      expect(await stranger.postMultipart(PROFILE_PATH, { name: 'Eve' })).toMatchObject(expected);
      expect(await stranger.post(`${PROFILE_PATH}/remove-picture`, {})).toMatchObject(expected);
      expect(await fixture.browser.get(PROFILE_PATH)).toMatchObject({ status: 200 });
    });

    it('a form from another site', async () => {
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        expect((await save({ name: 'Eve' }, headers)).status).toBe(403);
      }
      expect((await readAccount()).name).toBe(fixture.account.name);
    });

    it.each([
      ['an empty name', { name: ' ' }, 'name', fieldErrors.nameInvalid],
      ['a name with a line break', { name: 'Mila\nVos' }, 'name', fieldErrors.nameInvalid],
      ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', fieldErrors.nameInvalid],
      ['an unknown language', { language: 'xx' }, 'language', fieldErrors.languageInvalid],
      ['a name of the prototype as a language', { language: 'toString' }, 'language', fieldErrors.languageInvalid],
    ])('%s', async (_, fields, field, message) => {
      const { status, html } = await save(fields);
      expect(status).toBe(422);
      expect(html).toContain(`<p class="field-error" id="${field}-error">${message}</p>`);
      expect(html).toContain('<title>Error: Profile');
      expect(html).toMatch(new RegExp(`<(input|select)[^>]* id="${field}"[^>]* autofocus`));
      expect(await readAccount()).toMatchObject({ name: fixture.account.name, language: null });
    });

    it('a malformed multipart form, and a multipart form on another page', async () => {
      const cases: [path: string, type: string, body: string, status: number][] = [
        [PROFILE_PATH, 'multipart/form-data', 'x', 400],
        [
          PROFILE_PATH,
          'multipart/form-data; boundary=x',
          '--x\r\nContent-Disposition: form-data; name="name"\r\n',
          400,
        ],
        [PROFILE_PATH, 'multipart/form-data; boundary=x', formData('other', 'evil'), 400],
        [PROFILE_PATH, 'multipart/mixed; boundary=x', '--x--', 415],
        [PROFILE_PATH, 'application/json', '{}', 415],
        [`${PROFILE_PATH}/remove-picture`, 'multipart/form-data; boundary=x', '--x--', 415],
        ['/account/sessions', 'multipart/form-data; boundary=x', '--x--', 415],
      ];
      for (const [path, type, body, expected] of cases) {
        const cookie = `__Host-session=${fixture.browser.getCookie('__Host-session')}`;
        const headers = { cookie, 'Content-Type': type };
        const response = await fetch(fixture.server.url + path, { method: 'POST', headers, body, redirect: 'manual' });
        expect({ path, type, status: response.status }).toEqual({ path, type, status: expected });
      }
    });

    it('changes of a blocked account', async () => {
      await uploadValid();
      await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam');
      expect((await save({ name: 'Other' })).status).toBe(403);
      expect((await readAccount()).name).toBe('Mila Vos');
      expect((await fixture.browser.post(`${PROFILE_PATH}/remove-picture`, {})).status).toBe(403);
      expect(await countPictures()).toBe(1);
    });
  });

  it.each(Object.entries(MESSAGES_BY_LANGUAGE))(
    'explains a wrong picture in the language %s',
    async (tag, messages) => {
      const page = `${PROFILE_PATH}?ui_locales=${tag}`;
      const picture = new Blob(['GIF89a']);
      const { html } = await fixture.browser.postMultipart(page, { name: 'Mila Vos', language: '', picture });
      expect(html).toContain(messages.fieldErrors.pictureTypeInvalid);
    },
  );

  it('keeps the picture when the form has none', async () => {
    const picture = await uploadValid();
    expect((await save({ name: 'Mila de Vos', picture: new Blob([]) })).status).toBe(303);
    expect((await fixture.browser.post(PROFILE_PATH, { name: 'Mila', language: 'fr' })).status).toBe(303);
    expect(await readAccount()).toMatchObject({ picture, name: 'Mila', language: 'fr' });
  });

  it('gives apps the absolute address of the picture', async () => {
    const token = await issueAccessToken(fixture.server, ['openid', 'profile'], fixture.account);
    const path = await uploadValid();
    const { body } = await fixture.server.request('GET', '/api/oauth/userinfo', { token });
    expect(body.picture).toBe(`https://map.example.org${path}`);
  });

  it('deletes the picture of one account only', async () => {
    await uploadValid();
    const { browser, account } = fixture;
    const other = await fixture.openOtherBrowser();
    const picture = new Blob([new Uint8Array(await drawPicture().png().toBuffer())]);
    await other.postMultipart(PROFILE_PATH, { name: 'Other', language: '', picture });
    const before = await fixture.server.entityManager.count(ProfilePicture);
    const service = fixture.server.get(ProfilePicturesService);
    await fixture.server.get(TransactionService).run((tx) => service.deleteAll(tx, account.id));
    expect([await countPictures(), await fixture.server.entityManager.count(ProfilePicture)]).toEqual([0, before - 1]);
    expect((await browser.get(PROFILE_PATH)).status).toBe(200);
  });

  describe('with a saved language', () => {
    it('shows every page in it, also if the browser prefers another language', async () => {
      const headers = { 'Accept-Language': 'es' };
      const browser = new BrowserClient(fixture.server, headers);
      await browser.signIn(fixture.account);
      expect((await browser.get('/account')).html).toContain('<html lang="es">');
      const { location } = await browser.postMultipart(PROFILE_PATH, { name: 'Mila', language: 'de' });
      const saved = await browser.get(location!);
      expect(saved.html).toContain('<html lang="de">');
      expect(saved.html).toContain('Dein Profil ist gespeichert.');
      for (const path of ['/', '/account', '/account/apps', '/developer/apps', '/docs/reference', '/sign-out']) {
        expect({ path, html: (await browser.get(path)).html }).toEqual({
          path,
          html: expect.stringContaining('<html lang="de">'),
        });
      }
      expect((await new BrowserClient(fixture.server, headers).get('/')).html).toContain('<html lang="es">');
    });

    it('shows the language that an app requests', async () => {
      await save({ language: 'de' });
      expect((await fixture.authorize({ ui_locales: 'fr' })).html).toContain('<html lang="fr">');
      expect((await fixture.authorize({ ui_locales: 'xx' })).html).toContain('<html lang="de">');
    });

    it('uses the language of the browser again after the choice is withdrawn', async () => {
      await save({ language: 'de' });
      await save({ language: '' });
      expect((await readAccount()).language).toBeNull();
      expect((await fixture.browser.get('/account')).html).toContain('<html lang="en">');
    });
  });
});

function formData(field: string, value: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\n\r\n${value}\r\n--x--\r\n`;
}
