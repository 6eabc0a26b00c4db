import { afterEach, describe, expect, it } from '@jest/globals';
import { App } from '../../src/identity/apps/app.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { createAuthorizationRequest } from '../support/authorization-flow.js';
import type { PageResponse } from '../support/browser-client.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

type FormFields = Record<string, string | string[]>;

describe('The page of an app', () => {
  const fixture = OAuthFixture.use({ app: (_, account) => ({ ownerId: account.id }) });
  afterEach(restoreClock);

  const getAppPath = (): string => `/developer/apps/${fixture.app.app.id}`;

  const loadApp = (): Promise<App> => fixture.server.entityManager.findOneByOrFail(App, { id: fixture.app.app.id });

  /** Submits a form of the app's page. */
  const submitForm = async (action: string, fields: FormFields = {}): Promise<PageResponse> =>
    fixture.browser.submitForm(await fixture.browser.get(getAppPath()), action, fields);

  describe('form that replaces the secret', () => {
    const replaceSecret = async (fields?: FormFields): Promise<PageResponse> => {
      const path = `${getAppPath()}/secret`;
      const response = await fixture.browser.submitForm(await fixture.browser.get(path), path, fields);
      return fixture.browser.follow(response);
    };
    const parseSecret = ({ html }: PageResponse): string => /sam_secret_[\w-]+/.exec(html)![0];
    const isSecretValid = async (client_secret: string): Promise<boolean> =>
      (await fixture.refreshTokens('none', { client_secret })).body.error === 'invalid_grant';

    it.each(['', '0', '1H', '8d', '30d', 'toString', '-1h'])(
      'rejects %p as the time of the old secret',
      async (keepOld) => {
        const { status, html } = await replaceSecret({ keepOld });
        expect(status).toBe(422);
        expect(html).toContain('id="keepOld-error"');
        expect(html).not.toContain('sam_secret');
        expect(await isSecretValid(fixture.app.credentials.client_secret)).toBe(true);
        expect((await loadApp()).previousSecretExpiresAt).toBeNull();
      },
    );

    it('rejects the old secret at once by default, and shows no time', async () => {
      const response = await replaceSecret();
      expect(response.html).not.toContain('The previous secret works');
      expect(await isSecretValid(fixture.app.credentials.client_secret)).toBe(false);
      expect(await isSecretValid(parseSecret(response))).toBe(true);
    });

    it.each([
      ['1h', 3600],
      ['24h', 24 * 3600],
      ['7d', 7 * 24 * 3600],
    ])('keeps the old secret for %s, and says until when', async (keepOld, seconds) => {
      const old = fixture.app.credentials.client_secret;
      const response = await replaceSecret({ keepOld });
      const time = `<time datetime="${(await loadApp()).previousSecretExpiresAt!.toISOString()}"`;
      expect(response.html).toContain(`The previous secret works until ${time}`);
      expect((await fixture.browser.get(getAppPath())).html).toContain(`The previous secret works until ${time}`);
      advanceClock((seconds - 60) * SECOND_MS);
      expect([await isSecretValid(old), await isSecretValid(parseSecret(response))]).toEqual([true, true]);
      advanceClock(61 * SECOND_MS);
      expect([await isSecretValid(old), await isSecretValid(parseSecret(response))]).toEqual([false, true]);
    });

    it('ends every old secret at once when the secret is replaced again without a time', async () => {
      const second = parseSecret(await replaceSecret({ keepOld: '7d' }));
      await replaceSecret();
      const old = fixture.app.credentials.client_secret;
      expect([await isSecretValid(old), await isSecretValid(second)]).toEqual([false, false]);
    });

    it('keeps the first old secret when the form is posted twice', async () => {
      const second = parseSecret(await replaceSecret({ keepOld: '7d' }));
      const { status, html } = await replaceSecret({ keepOld: '7d' });
      expect(status).toBe(422);
      expect(html).toContain('An old secret still works');
      const old = fixture.app.credentials.client_secret;
      expect([await isSecretValid(old), await isSecretValid(second)]).toEqual([true, true]);
    });

    it('changes no app of another account', async () => {
      const otherBrowser = await fixture.openOtherBrowser();
      for (const keepOld of ['7d', 'never']) {
        expect((await otherBrowser.post(`${getAppPath()}/secret`, { keepOld })).status).toBe(404);
      }
      expect((await loadApp()).secretDigest).toBe(fixture.app.app.secretDigest);
    });
  });

  describe('box for a library without PKCE', () => {
    const authorizeWithoutPkce = (): Promise<PageResponse> =>
      fixture.browser.get(
        createAuthorizationRequest(fixture.app, { code_challenge: undefined, code_challenge_method: undefined }).path,
      );

    it('switches the PKCE requirement off and on again', async () => {
      expect((await authorizeWithoutPkce()).location).toContain('error=invalid_request');
      await submitForm(getAppPath(), { withoutPkce: 'yes' });
      expect((await authorizeWithoutPkce()).status).toBe(200);
      await submitForm(getAppPath(), { withoutPkce: [] });
      expect((await authorizeWithoutPkce()).location).toContain('error=invalid_request');
      const events = await fixture.server.entityManager.findBy(AuditEvent, {
        appId: fixture.app.app.id,
        type: 'app.changed',
      });
      expect(events.map(({ accountId }) => accountId)).toEqual([fixture.account.id, fixture.account.id]);
    });

    it('stays selected when another setting is saved', async () => {
      await submitForm(getAppPath(), { withoutPkce: 'yes' });
      await submitForm(getAppPath(), { name: 'Wall Walk' });
      expect(await loadApp()).toMatchObject({ name: 'Wall Walk', pkceRequired: false });
    });

    it('stays selected when another field is rejected', async () => {
      const { status, html } = await submitForm(getAppPath(), { withoutPkce: 'yes', name: '' });
      expect(status).toBe(422);
      expect(html).toMatch(/<input[^>]* name="withoutPkce"[^>]* checked/);
      expect((await loadApp()).pkceRequired).toBe(true);
    });

    it('registers a new app without the PKCE requirement', async () => {
      const form = { name: 'Stair Walk', redirectUris: 'https://walk.example.org/callback', withoutPkce: 'yes' };
      await fixture.browser.submitForm(await fixture.browser.get('/developer/apps/new'), '/developer/apps', form);
      expect(
        await fixture.server.entityManager.findBy(App, { name: 'Stair Walk', ownerId: fixture.account.id }),
      ).toEqual([expect.objectContaining({ pkceRequired: false })]);
    });
  });
});
