import { afterEach, describe, expect, it } from '@jest/globals';
import { FailedCall } from '../../src/identity/apps/failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { createAuthorizationRequest, REDIRECT_URI } from '../support/authorization-flow.js';
import { registerApp } from '../support/factories.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const TOKEN_CALL = 'POST /api/oauth/token';
const AUTHORIZE_CALL = 'GET /api/oauth/authorize';

describe('Failed calls by rule', () => {
  const fixture = OAuthFixture.use({ app: (_, account) => ({ ownerId: account.id }) });
  afterEach(restoreClock);

  const listFailedCalls = (): Promise<FailedCall[]> => fixture.server.get(FailedCallsService).list(fixture.app.app.id);

  const listSentValues = async (): Promise<string[][]> =>
    (await listFailedCalls()).map(({ sentValues }) => sentValues.map(({ value }) => value));

  it('keep three wrong redirect URIs in one group, beside the registered ones', async () => {
    for (const path of ['call-back', 'callback/', 'Callback', 'call-back'])
      await fixture.authorize({ redirect_uri: `https://app.example.org/${path}` });
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({
        endpoint: AUTHORIZE_CALL,
        errorCode: 'invalid_redirect_uri',
        reason: 'redirect_uri is not registered. Register it exactly as the app sends it.',
        accepted: { source: 'registered', values: fixture.app.app.redirectUris },
        count: 4,
      }),
    ]);
    expect(await listSentValues()).toEqual([
      ['https://app.example.org/call-back', 'https://app.example.org/Callback', 'https://app.example.org/callback/'],
    ]);
  });

  it('note unknown names in the scope of a refresh, which are ignored', async () => {
    const { refresh_token } = await fixture.issueTokens(['markers:read', 'openid']);
    const { body } = await fixture.refreshTokens(refresh_token, { scope: 'markers:read offline_access' });
    expect(body.scope).toBe('markers:read');
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({ endpoint: 'POST /api/oauth/token', errorCode: 'unknown_scope', count: 1 }),
    ]);
    expect(await listSentValues()).toEqual([['markers:read offline_access']]);
  });

  it('keep eight different mistakes with one error code in eight groups', async () => {
    const mistakes = [
      { response_type: undefined },
      { response_mode: 'fragment' },
      { code_challenge: undefined },
      { code_challenge: 'short' },
      { code_challenge_method: 'plain' },
      { prompt: 'later' },
      { max_age: 'soon' },
      { id_token_hint: 'none' },
    ];
    for (const mistake of mistakes) {
      advanceClock(SECOND_MS);
      await fixture.authorize(mistake);
    }
    const calls = await listFailedCalls();
    expect(calls.map(({ errorCode }) => errorCode)).toEqual(mistakes.map(() => 'invalid_request'));
    expect(
      calls.map(
        ({ reason }) =>
          /response_type|response_mode|code_challenge_method|code_challenge|prompt|max_age|id_token_hint/.exec(
            reason,
          )![0],
      ),
    ).toEqual(mistakes.map((mistake) => Object.keys(mistake)[0]).reverse());
  });

  it.each<[parameter: string, sent: string | undefined, source: string, values: (fixture: OAuthFixture) => string[]]>([
    ['scope', 'edits:wirte', 'registered', ({ app }) => app.app.scopes],
    ['response_type', 'token', 'supported', () => ['code']],
    ['response_mode', 'fragment', 'supported', () => ['query', 'form_post']],
    ['code_challenge_method', 'plain', 'supported', () => ['S256']],
    ['code_challenge_method', undefined, 'supported', () => ['S256']],
    ['prompt', 'later', 'supported', () => ['none', 'login', 'consent', 'select_account']],
    ['redirect_uri', undefined, 'registered', ({ app }) => app.app.redirectUris],
  ])('compare the %s %s with the %s values', async (parameter, sent, source, values) => {
    await fixture.authorize({ [parameter]: sent });
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({
        accepted: { source, values: values(fixture) },
        sentValues: [expect.objectContaining({ value: sent ?? '' })],
      }),
    ]);
  });

  it('compare the grant_type with the supported ones', async () => {
    for (const grant_type of ['password', 'client_credentials']) await fixture.refreshTokens('any', { grant_type });
    const [{ errorCode, accepted }] = (await listFailedCalls()) as [FailedCall];
    expect({ errorCode, accepted }).toEqual({
      errorCode: 'unsupported_grant_type',
      accepted: { source: 'supported', values: ['authorization_code', 'refresh_token'] },
    });
    expect(await listSentValues()).toEqual([['client_credentials', 'password']]);
  });

  it('compare the post_logout_redirect_uri with the registered ones', async () => {
    const uri = 'https://app.example.org/signed-out';
    await fixture.browser.get(`/api/oauth/logout?post_logout_redirect_uri=${uri}&client_id=${fixture.app.app.id}`);
    await fixture.browser.get(`/api/oauth/logout?post_logout_redirect_uri=${uri}`);
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({
        endpoint: 'GET /api/oauth/logout',
        accepted: { source: 'registered', values: fixture.app.app.postLogoutRedirectUris },
        sentValues: [expect.objectContaining({ value: uri })],
        count: 1,
      }),
    ]);
  });

  it('compare the redirect URI of the exchange with the one of the authorization request', async () => {
    const { code, codeVerifier } = await fixture.obtainCode();
    await fixture.exchangeCode(code, codeVerifier, { redirect_uri: 'https://app.example.org/other' });
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({
        endpoint: TOKEN_CALL,
        errorCode: 'invalid_grant',
        accepted: { source: 'requested', values: [REDIRECT_URI] },
        sentValues: [expect.objectContaining({ value: 'https://app.example.org/other' })],
      }),
    ]);
  });

  it('compare the scopes of a token with the required one, and name unknown members', async () => {
    const { access_token: token } = await fixture.issueTokens(['edits:write']);
    await fixture.server.request('GET', '/api/edits/mine', { token });
    const path = '/api/edits/evaluate-permissions';
    for (const body of [{ things: [] }, { stuff: [] }]) await fixture.server.request('POST', path, { token, body });
    expect(await listSentValues()).toEqual([['stuff', 'things'], ['edits:write']]);
    expect((await listFailedCalls())[1]!.accepted).toEqual({ source: 'required', values: ['edits:read'] });
  });

  it('keep the last five distinct values', async () => {
    for (const path of [1, 2, 3, 4, 5, 6, 2]) {
      advanceClock(SECOND_MS);
      await fixture.authorize({ redirect_uri: `https://app.example.org/${path}` });
      if (path === 3) await listFailedCalls();
    }
    expect(await listSentValues()).toEqual([[2, 6, 5, 4, 3].map((path) => `https://app.example.org/${path}`)]);
    expect(await listFailedCalls()).toEqual([expect.objectContaining({ count: 7 })]);
  });

  it('contain no personal data of a redirect URI, and at most 500 characters of it', async () => {
    for (const uri of [
      'https://mila:guess@app.example.org/callback',
      'https://app.example.org/callback?name=Mila+Vos&user%5Bname%5D=Mila&plain',
      'https://app.example.org/mila.vos@example.net#user=mila',
      `https://app.example.org/${'x'.repeat(600)}`,
    ]) {
      await fixture.authorize({ redirect_uri: uri });
      advanceClock(SECOND_MS);
    }
    const [[long, ...values]] = (await listSentValues()) as [[string, string, string, string]];
    expect(long).toHaveLength(500);
    expect(values).toEqual([
      'https://app.example.org/[redacted]#user=[redacted]',
      'https://app.example.org/callback?name=[redacted]&user%5Bname%5D=[redacted]&[redacted]',
      'https://[redacted]@app.example.org/callback',
    ]);
  });

  it.each([
    ['?secret', '?[redacted]'],
    ['?secret&', '?[redacted]&'],
    ['?a=1&secret', '?a=[redacted]&[redacted]'],
    ['?secret&a=1', '?[redacted]&a=[redacted]'],
    ['?=secret', '?=[redacted]'],
    ['??secret', '?[redacted]'],
    ['?a==secret', '?a=[redacted]'],
    ['?a?b=secret', '?[redacted]'],
    ['#secret', '#[redacted]'],
    ['?secret#secret', '?[redacted]#[redacted]'],
    [';secret', ';[redacted]'],
    ['%3Fsecret', '%3F[redacted]'],
    ['?a=1%26secret', '?a=[redacted]%26[redacted]'],
    ['?a=1%3Bsecret', '?a=[redacted]%3B[redacted]'],
    ['?secret sam_code_secret', '?[redacted]'],
    ['?note=Mila sam_code_secret', '?note=[redacted]'],
    ['?Mila[redacted]', '?[redacted]'],
  ])('mask the value of %s in a redirect URI', async (sent, shown) => {
    await fixture.authorize({ redirect_uri: `https://app.example.org/cb${sent}` });
    expect(await listSentValues()).toEqual([[`https://app.example.org/cb${shown}`]]);
  });

  it.each(['?', '?a=', '?a=&b=', '#'])('show %s in a redirect URI, since no value follows', async (sent) => {
    const uri = `https://app.example.org/cb${sent}`;
    await fixture.authorize({ redirect_uri: uri });
    expect(await listSentValues()).toEqual([[uri]]);
  });

  it('show the parameters of a redirect URI that a registered one has as well', async () => {
    const redirectUris = ['https://app.example.org/callback?flag&tenant=north'];
    const app = await registerApp(fixture.server, { redirectUris });
    const uri = 'https://app.example.org/call?flag&tenant=north&other=south&flat';
    await fixture.browser.get(createAuthorizationRequest(app, { redirect_uri: uri }).path);
    const [{ sentValues }] = (await fixture.server.get(FailedCallsService).list(app.app.id)) as [FailedCall];
    expect(sentValues[0]!.value).toBe('https://app.example.org/call?flag&tenant=north&other=[redacted]&[redacted]');
  });
});
