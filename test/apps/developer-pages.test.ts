import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import type { Account } from '../../src/accounts/account.entity.js';
import { App } from '../../src/apps/app.entity.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { ask, connect, REDIRECT_URI, signedIn } from '../support/authorize.js';
import { newAccount, newApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import type { Seen, Visitor } from '../support/visitor.js';

const PATH = '/developer/apps';

describe('Developer pages', () => {
  let service: Service;
  let owner: Account;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    owner = await newAccount(service);
    visitor = await signedIn(service, owner);
  });

  const register = async (fields: Record<string, string | string[]> = {}): Promise<Seen> =>
    visitor.submit(await visitor.get(`${PATH}/new`), PATH, {
      name: 'Mural Walk',
      description: 'Walks from mural to mural.',
      homePage: 'https://walk.example.org/',
      redirectUris: `${REDIRECT_URI}\r\n  http://127.0.0.1/callback \n\n`,
      scopes: ['openid', 'markers:read', 'edits:write'],
      requiredScopes: ['markers:read'],
      ...fields,
    });
  const secretsIn = ({ html }: Seen): string[] =>
    [...html.matchAll(/<p class="secret">([^<]*)</g)].map(([, text]) => text!);
  const registered = async (): Promise<{ id: string; secret: string }> => {
    const [id, secret] = secretsIn(await register()) as [string, string];
    return { id, secret };
  };
  const isGood = async (client_id: string, client_secret: string): Promise<Answer['body']> =>
    (await service.call('POST', '/api/oauth/revoke', { body: { token: 'any', client_id, client_secret } })).status ===
    200;
  const appsOf = (person: Account): Promise<App[]> => service.database.findBy(App, { ownerId: person.id });

  it('register an app, and show its id, and its secret once', async () => {
    const answer = await register();
    expect(answer.status).toBe(200);
    const [id, secret] = secretsIn(answer) as [string, string];
    expect(await isGood(id, secret)).toBe(true);
    const [app] = await appsOf(owner);
    expect(app).toMatchObject({
      id,
      name: 'Mural Walk',
      description: 'Walks from mural to mural.',
      homePage: 'https://walk.example.org/',
      redirectUris: [REDIRECT_URI, 'http://127.0.0.1/callback'],
      scopes: ['openid', 'markers:read', 'edits:write'],
      requiredScopes: ['markers:read'],
      idTokenAlg: 'RS256',
      pkceRequired: true,
    });
    for (const path of [PATH, `${PATH}/${id}`]) {
      const { html } = await visitor.get(path);
      expect(html).toContain(id);
      expect(html).not.toContain('sam_secret');
    }
    expect(JSON.stringify(app)).not.toContain(secret);
  });

  it('make an app that people can use, at once', async () => {
    const { id, secret } = await registered();
    const app = { app: (await appsOf(owner))[0]!, credentials: { client_id: id, client_secret: secret } };
    const { body } = await connect(service, app, visitor, { scope: 'openid markers:read edits:write' });
    expect(body.scope).toBe('openid markers:read edits:write');
  });

  it.each<[what: string, field: string, value: string | string[]]>([
    ['no name', 'name', ''],
    ['a name that reorders itself', 'name', 'a\u202eb'],
    ['too long a description', 'description', 'x'.repeat(501)],
    ['a description that reorders itself', 'description', 'a\u202eb'],
    ['a home page without https', 'homePage', 'http://walk.example.org/'],
    ['a home page that is a script', 'homePage', 'javascript:alert(1)'],
    ['no redirect address', 'redirectUris', ''],
    ['a redirect address without https', 'redirectUris', 'http://walk.example.org/callback'],
    ['a redirect address with a fragment', 'redirectUris', 'https://walk.example.org/#top'],
    ['a redirect address that is a script', 'redirectUris', 'javascript:alert(1)'],
    ['too long a redirect address', 'redirectUris', `https://walk.example.org/${'x'.repeat(500)}`],
    [
      'too many redirect addresses',
      'redirectUris',
      Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`).join('\n'),
    ],
    ['nonsense for an address after signing out', 'postLogoutRedirectUris', 'nonsense'],
    ['no scope', 'scopes', []],
    ['a scope that does not exist', 'scopes', ['openid', 'markers:read', 'admin']],
    ['a required scope that it does not ask for', 'scopes', ['openid']],
  ])('refuse %s beside its field, keep the rest, and store nothing', async (_, field, value) => {
    const { status, html } = await register({ [field]: value });
    expect(status).toBe(422);
    expect(html).toContain(`id="${field}-problem"`);
    expect(html.match(/id="\w+-problem"/g)).toHaveLength(1);
    if (field !== 'homePage') expect(html).toContain('value="https://walk.example.org/"');
    expect(html).not.toContain('sam_secret');
    expect(await appsOf(owner)).toEqual([]);
  });

  it('change what the owner says of it, and the addresses hold at once', async () => {
    const { id, secret } = await registered();
    const page = await visitor.get(`${PATH}/${id}`);
    const answer = await visitor.submit(page, `${PATH}/${id}`, {
      name: 'Wall Walk',
      redirectUris: 'https://new.example.org/cb',
    });
    expect(answer.location).toBe(`${PATH}/${id}?saved`);
    const [app] = await appsOf(owner);
    expect(app).toMatchObject({
      name: 'Wall Walk',
      redirectUris: ['https://new.example.org/cb'],
      requiredScopes: ['markers:read'],
    });
    const testApp = { app: app!, credentials: { client_id: id, client_secret: secret } };
    expect((await visitor.get(ask(testApp).path)).status).toBe(400);
    expect(await isGood(id, secret)).toBe(true);
  });

  it('keep what was stored where a change is refused', async () => {
    const { id } = await registered();
    const page = await visitor.get(`${PATH}/${id}`);
    const { status, html } = await visitor.submit(page, `${PATH}/${id}`, { name: 'Better', redirectUris: 'nonsense' });
    expect(status).toBe(422);
    expect(html).toContain('value="Better"');
    expect((await appsOf(owner))[0]!.name).toBe('Mural Walk');
  });

  it('rotate the secret: the new one is shown once and works, the old one stops', async () => {
    const { id, secret } = await registered();
    const answer = await visitor.submit(await visitor.get(`${PATH}/${id}`), `${PATH}/${id}/secret`);
    const [, fresh] = secretsIn(answer) as [string, string];
    expect(await isGood(id, fresh)).toBe(true);
    expect(await isGood(id, secret)).toBe(false);
  });

  it('disable an app, and enable it again', async () => {
    const { id, secret } = await registered();
    await visitor.submit(await visitor.get(`${PATH}/${id}`), `${PATH}/${id}/disable`);
    expect(await isGood(id, secret)).toBe(false);
    await visitor.submit(await visitor.get(`${PATH}/${id}`), `${PATH}/${id}/enable`);
    expect(await isGood(id, secret)).toBe(true);
  });

  it('leave in the audit who did what', async () => {
    const { id } = await registered();
    for (const action of ['secret', 'disable', 'disable', 'enable', 'enable'])
      await visitor.post(`${PATH}/${id}/${action}`, {});
    const events = await service.database.find(AuditEvent, { where: { appId: id }, order: { id: 'ASC' } });
    expect(events.map(({ type }) => type)).toEqual([
      'app.registered',
      'app.secret_rotated',
      'app.disabled',
      'app.enabled',
    ]);
    expect(new Set(events.map(({ accountId }) => accountId))).toEqual(new Set([owner.id]));
  });

  it('cannot enable what the operator disabled', async () => {
    const { id, secret } = await registered();
    await service.get(AppsService).disable(id);
    expect((await visitor.get(`${PATH}/${id}`)).html).not.toContain(`${id}/enable`);
    for (const action of ['disable', 'enable']) await visitor.post(`${PATH}/${id}/${action}`, {});
    expect(await isGood(id, secret)).toBe(false);
  });

  it('show and change no app of another person, nor one of the operator', async () => {
    const { id, secret } = await registered();
    const stranger = await signedIn(service, await newAccount(service));
    const operators = await newApp(service);
    const before = await service.database.find(App, { order: { id: 'ASC' } });
    for (const app of [id, operators.app.id, 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x']) {
      expect((await stranger.get(`${PATH}/${app}`)).status).toBe(404);
      for (const action of ['', '/secret', '/disable', '/enable']) {
        expect((await stranger.post(`${PATH}/${app}${action}`, { name: 'Mine' })).status).toBe(404);
      }
    }
    expect((await stranger.get(PATH)).html).not.toContain(id);
    expect(await service.database.find(App, { order: { id: 'ASC' } })).toEqual(before);
    expect(await isGood(id, secret)).toBe(true);
  });

  it('let a blocked person look, and change nothing', async () => {
    const { id, secret } = await registered();
    await service.get(AccountsService).block(owner.username, 'Spam.');
    expect((await visitor.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await register()).status).toBe(403);
    for (const action of ['', '/secret', '/disable', '/enable']) {
      expect((await visitor.post(`${PATH}/${id}${action}`, {})).status).toBe(403);
    }
    expect(await isGood(id, secret)).toBe(true);
  });
});
