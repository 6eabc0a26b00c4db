import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FailedCall } from '../../src/failed-calls/failed-call.entity.js';
import { FailedCalls } from '../../src/failed-calls/failed-calls.service.js';
import type { Account } from '../../src/accounts/account.entity.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { mintSecret } from '../../src/crypto/opaque-secret.js';
import { allow, ask, exchange, REDIRECT_URI, replyOf, signedIn } from '../support/authorize.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';
import type { Visitor } from '../support/visitor.js';

const TOKEN = 'POST /api/oauth/token';
const AUTHORIZE = 'GET /api/oauth/authorize';

describe('The last failed calls of an app', () => {
  let service: Service;
  let owner: Account;
  let client: TestApp;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.start();
  });
  beforeEach(async () => {
    owner = await newAccount(service);
    client = await newApp(service, { ownerId: owner.id });
    visitor = await signedIn(service, owner);
  });
  afterEach(backToNow);
  afterAll(() => service.stop());

  const listed = (): Promise<FailedCall[]> => service.get(FailedCalls).list(client.app.id);
  const refresh = (refresh_token: string, more: object = {}): Promise<Answer> =>
    service.call('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...client.credentials, ...more },
    });
  const newChain = async (): Promise<string> =>
    (await newTokens(service, { app: client.app, account: owner })).refresh_token;
  const codeOf = async (): Promise<{ code: string; verifier: string }> => {
    const { path, verifier } = ask(client);
    return { code: replyOf(await allow(visitor, path)).code!, verifier };
  };

  it('name the redirect address that was sent, and those that are registered', async () => {
    await visitor.get(ask(client, { redirect_uri: 'https://app.example.org/call-back' }).path);
    expect(await listed()).toEqual([
      expect.objectContaining({
        call: AUTHORIZE,
        error: 'invalid_redirect_uri',
        reason: expect.stringMatching(
          /Registered: https:\/\/app\.example\.org\/callback Sent: https:\/\/app\.example\.org\/call-back$/,
        ),
      }),
    ]);
  });

  it('name the address that a code was asked with, where another comes with it', async () => {
    const { code, verifier } = await codeOf();
    await exchange(service, client, code, verifier, { redirect_uri: 'https://app.example.org/other' });
    const [{ call, error, reason }] = (await listed()) as [FailedCall];
    expect({ call, error }).toEqual({ call: TOKEN, error: 'invalid_grant' });
    expect(reason).toContain(`Sent: https://app.example.org/other Asked with: ${REDIRECT_URI}`);
  });

  it('tell a wrong code_verifier from a code that was used, and that from one that is none', async () => {
    const { code, verifier } = await codeOf();
    await exchange(service, client, code, 'x'.repeat(43));
    await exchange(service, client, code, verifier);
    await exchange(service, client, code, verifier);
    await exchange(service, client, 'no code', verifier);
    const reasons = (await listed()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(3);
    for (const why of [/code_verifier does not fit/, /already used/, /no such code/])
      expect(reasons).toContainEqual(expect.stringMatching(why));
  });

  it('tell a refresh token that was used from one that has expired', async () => {
    const used = await newChain();
    await refresh(used);
    await refresh(used);
    const expired = await newChain();
    later(30 * 24 * 3600 * SECOND);
    await refresh(expired);
    expect((await listed()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/has expired/),
      expect.stringMatching(/already used/),
    ]);
  });

  it('tell of a wrong secret and of being disabled, of which the answer tells nobody', async () => {
    const answers = [await refresh('any', { client_secret: mintSecret('sam_secret') })];
    await service.get(AppsService).disable(client.app.id);
    answers.push(await refresh('any'));
    expect(answers[0]!.body).toEqual(answers[1]!.body);
    expect((await listed()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/The app is disabled\.$/),
      expect.stringMatching(/The client_secret is missing or wrong\.$/),
    ]);
  });

  it('tell which scope a call of the API lacked, and what was wrong with its body', async () => {
    const { access_token: token } = await newTokens(service, {
      app: client.app,
      account: owner,
      scopes: ['edits:write'],
    });
    await service.call('GET', '/api/edits/mine', { token });
    await service.call('POST', '/api/edits/evaluate-permissions', { token, body: { things: [] } });
    expect((await listed()).map(({ call, error }) => ({ call, error }))).toEqual([
      { call: 'POST /api/edits/evaluate-permissions', error: 'invalid_request' },
      { call: 'GET /api/edits/mine', error: 'insufficient_scope' },
    ]);
  });

  it('leave out what is up to the person or the map: a no, no session, and what is not there', async () => {
    const page = await visitor.get(ask(client).path);
    await visitor.submit(page, '/consent', { decision: 'deny' });
    await visitor.get(ask(client, { prompt: 'none' }).path);
    const { access_token: token } = await newTokens(service, { app: client.app, account: owner });
    await service.call('GET', '/api/markers/mrk_00000000000000000000000000', { token });
    expect(await listed()).toEqual([]);
  });

  it('are one where they fail again for the same reason, and count', async () => {
    for (let count = 0; count < 3; count++) await refresh('no token');
    await listed();
    await refresh('no token');
    expect(await listed()).toEqual([expect.objectContaining({ count: 4 })]);
  });

  it('are one where only a number tells them apart, such as that of seconds to wait', async () => {
    for (const seconds of [42, 41])
      service
        .get(FailedCalls)
        .note(client.app.id, { call: TOKEN, error: 'temporarily_unavailable', reason: `Wait ${seconds} s.` });
    expect(await listed()).toEqual([expect.objectContaining({ count: 2, reason: 'Wait 41 s.' })]);
  });

  it('are of one kind where anybody could send them: whoever asks in the name of an app fills no list', async () => {
    await refresh('no token');
    for (let count = 0; count < 60; count++) {
      await visitor.get(ask(client, { redirect_uri: `https://app.example.org/${count}` }).path);
      await visitor.get(ask(client, { scope: `none${count}` }).path);
    }
    const calls = await listed();
    expect(calls.map(({ error, count }) => `${count} ${error}`).sort()).toEqual([
      '1 invalid_grant',
      '60 invalid_redirect_uri',
      '60 invalid_scope',
    ]);
    expect(calls.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/Sent: https:\/\/app\.example\.org\/59$/),
    );
  });

  it('are not lost because another app was sent what cannot be shown', async () => {
    const other = await newApp(service);
    await visitor.get(ask(other, { redirect_uri: 'https://x/\0\u202e\ud800' }).path);
    await refresh('no token');
    expect(await listed()).toHaveLength(1);
    const [{ reason }] = (await service.get(FailedCalls).list(other.app.id)) as [FailedCall];
    expect(reason).toMatch(/Sent: https:\/\/x\/\ufffd+$/);
  });

  it('are the last fifty reasons', async () => {
    for (let count = 0; count < 60; count++) {
      later(SECOND);
      await listed();
      service
        .get(FailedCalls)
        .note(client.app.id, { call: `${TOKEN}/${count}`, error: 'invalid_request', reason: `Reason ${count}.` });
    }
    const reasons = (await listed()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(50);
    expect(reasons).toContain('Reason 59.');
    expect(reasons).not.toContain('Reason 9.');
  });

  it('hold no secret, whatever the app sent', async () => {
    const secret = mintSecret('sam_refresh');
    const { access_token } = await newTokens(service, { app: client.app, account: owner });
    const address = `https://app.example.org/?token=${secret}&code=abcdef&jwt=${access_token}&x=1`;
    await visitor.get(ask(client, { redirect_uri: address }).path);
    const { html } = await visitor.get(`/developer/apps/${client.app.id}`);
    expect(html).toContain('?token=[redacted]&amp;code=[redacted]&amp;jwt=eyJ[redacted]');
    expect(JSON.stringify(await listed()) + html).not.toMatch(
      new RegExp(`${secret.slice(-20)}|abcdef|${access_token.slice(-20)}`),
    );
  });

  it('are shown on the page of the app, to its owner alone', async () => {
    await refresh('no token');
    await refresh('no token');
    const { html } = await visitor.get(`/developer/apps/${client.app.id}`);
    expect(html).toMatch(/<h2>Calls that failed<\/h2>/);
    expect(html).toMatch(/<code>POST \/api\/oauth\/token<\/code> <strong>invalid_grant<\/strong>/);
    expect(html).toContain('2 times');
    const stranger = await signedIn(service, await newAccount(service));
    expect((await stranger.get(`/developer/apps/${client.app.id}`)).status).toBe(404);
  });

  it('outlast a stop of the service', async () => {
    const other = await Service.start({ DATABASE_URL: service.settings.DATABASE_URL });
    const body = { grant_type: 'refresh_token', refresh_token: 'no token', ...client.credentials };
    await other.call('POST', '/api/oauth/token', { body });
    await other.stop();
    expect(await listed()).toHaveLength(1);
  });
});
