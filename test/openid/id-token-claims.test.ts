import { beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { IdTokensService } from '../../src/identity/openid/id-tokens.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { decodeJwtClaims } from '../support/jwt.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const PICTURE = 'https://pictures.example.org/mila.jpg';

describe('Claims about the person in the ID token (OpenID Connect Core §5.4)', () => {
  const fixture = OAuthFixture.use({ appPerFile: true });

  beforeEach(async () => {
    const columns = { picture: PICTURE, language: 'de' as const, emailVerifiedAt: new Date() };
    const { id } = fixture.account;
    await fixture.server.get(TransactionService).run((tx) => tx.update(Account, { id }, columns));
  });

  const fetchClaims = async (scope: string): Promise<Record<string, unknown>> => {
    const { body } = await fixture.authorizeApp({ scope, prompt: 'consent' });
    const { sub, iss, aud, exp, iat, auth_time, amr, acr, at_hash, ...claims } = decodeJwtClaims(
      body.id_token as string,
    );
    expect([sub, iss, aud]).toEqual([fixture.account.id, fixture.server.settings.BASE_URL, fixture.app.app.id]);
    expect([exp, iat, auth_time]).toEqual([1, 2, 3].map(() => expect.any(Number)));
    expect([amr, acr, at_hash]).toEqual([['pwd'], '0', expect.any(String)]);
    const { body: userinfo } = await fixture.server.request('GET', '/api/oauth/userinfo', { token: body.access_token });
    expect(userinfo).toEqual({ sub, ...claims });
    return claims;
  };

  it('are those of the granted identity scopes, as at the userinfo endpoint', async () => {
    const profile = {
      name: fixture.account.name,
      preferred_username: fixture.account.username,
      picture: PICTURE,
      locale: 'de',
      updated_at: expect.any(Number),
    };
    const email = { email: fixture.account.email, email_verified: true };
    expect(await fetchClaims('openid markers:read')).toEqual({});
    expect(await fetchClaims('openid profile')).toEqual(profile);
    expect(await fetchClaims('openid email')).toEqual(email);
    expect(await fetchClaims('openid profile email')).toEqual({ ...profile, ...email });
  });

  it('leave out what the account does not have', async () => {
    const { id } = fixture.account;
    await fixture.server.get(TransactionService).run(async (tx) => {
      await tx.update(Account, { id }, { picture: null, language: null, email: null, normalizedEmail: null });
    });
    const claims = await fetchClaims('openid profile email');
    expect(Object.keys(claims).sort()).toEqual(['name', 'preferred_username', 'updated_at']);
  });

  it('leave out a scope that the person did not allow', async () => {
    const parameters = { scope: 'openid profile email', prompt: 'consent' };
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app, parameters);
    const { code } = parseRedirectParams(await grantConsent(fixture.browser, path, ['profile']));
    const { body } = await fixture.exchangeCode(code, codeVerifier);
    const claims = decodeJwtClaims(body.id_token as string);
    expect([claims['name'], claims['email']]).toEqual([fixture.account.name, undefined]);
  });

  it.each([
    ['phr', ['hwk', 'user']],
    ['0', ['hwk']],
    ['0', ['pwd']],
    ['0', undefined],
  ])('have acr %s after a sign-in with %j', (acr, amr) => {
    const { account, app } = fixture;
    const input = { account, app: app.app, scopes: [], authTime: new Date(), accessToken: 'any', ...(amr && { amr }) };
    expect(decodeJwtClaims(fixture.server.get(IdTokensService).sign(input))).toMatchObject({ acr });
  });
});
