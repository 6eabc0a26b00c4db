import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UNAVAILABLE_RESPONSE, DATABASE_BACKED_PAGE_PATH } from '../support/unavailable-response.js';
import { issueChains } from '../support/refresh-token-chain.js';
import { breakUnderLoad, FaultScenario } from '../support/fault-scenario.js';
import { PostgresCluster } from '../support/postgres-cluster.js';

/** Milliseconds within which every request must get a response. */
const RESPONSE_TIMEOUT_MS = 60_000;

const CHAIN_COUNT = 8;

describe('PostgreSQL outage', () => {
  let scenario: FaultScenario<PostgresCluster>;
  let accessToken: string;

  beforeEach(async () => {
    scenario = await FaultScenario.start(() => PostgresCluster.start(), CHAIN_COUNT);
    const outcome = await scenario.chains[0]!.refresh(scenario.server.url);
    accessToken = typeof outcome === 'object' ? outcome.body.access_token : outcome;
  });
  afterEach(() => scenario.stop());

  const send = (path: string): Promise<Response> =>
    fetch(scenario.server.url + path, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });

  /** Expects the response for an unavailable database on every kind of endpoint. */
  const expectUnavailable = async (): Promise<void> => {
    const [token, api, page, ready, live] = await Promise.all([
      scenario.chains[0]!.refresh(scenario.server.url),
      send('/api/markers'),
      send(DATABASE_BACKED_PAGE_PATH),
      send('/health/ready'),
      send('/health/live'),
    ]);
    expect([ready.status, live.status]).toEqual([503, 200]);
    expect(await ready.json()).toMatchObject({ status: 'error', error: { database: { status: 'down' } } });
    expect(token).toEqual(UNAVAILABLE_RESPONSE);
    expect([api.status, page.status]).toEqual([503, 503]);
    for (const { headers } of [api, page]) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await api.json()).toEqual({
      error: expect.stringMatching(/^[A-Z].*\.$/),
      code: 'temporarily_unavailable',
    });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain(
      `<a class="button" href="${DATABASE_BACKED_PAGE_PATH.replaceAll('&', '&amp;')}">`,
    );
    const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/api/oauth/jwks'];
    const metadata = await Promise.all(paths.map(send));
    expect(metadata.map(({ status }) => status)).toEqual([200, 200, 200]);
  };

  /** Expects an error page with a form that repeats the request, without the password. */
  const expectKeptForm = async (): Promise<void> => {
    const body = new URLSearchParams({
      username: 'mila',
      name: 'Mila & Vos',
      email: 'm@example.org',
      password: 'p4ssw0rd!',
    });
    const response = await fetch(`${scenario.server.url}/sign-up`, { method: 'POST', body });
    const html = await response.text();
    expect([response.status, html]).toEqual([503, expect.stringContaining('value="Mila &amp; Vos"')]);
    expect(html).toMatch(/<form method="post" action="\/sign-up" class="actions">.*Try again<\/button>/s);
    expect(html).not.toContain('p4ssw0rd');
  };

  const expectOutageUnderLoad = async (act: () => Promise<void>): Promise<void> => {
    await breakUnderLoad(scenario.chains, scenario.server, act);
    await expectUnavailable();
  };

  const expectRecovered = async (): Promise<void> => {
    await scenario.verify();
    const responses = await Promise.all([send('/api/markers'), send(DATABASE_BACKED_PAGE_PATH)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  };

  it('returns 503 while PostgreSQL is killed, then continues, and accepts no token twice', async () => {
    for (let round = 0; round < 3; round++) {
      await expectOutageUnderLoad(() => scenario.database.kill());
      await expectKeptForm();
      await scenario.database.restart();
      await expectRecovered();
      scenario.chains = await issueChains(scenario.database, CHAIN_COUNT);
    }
  });

  it('returns 503 in time while PostgreSQL hangs, then continues, and accepts no token twice', async () => {
    await expectOutageUnderLoad(() => scenario.database.suspend());
    scenario.database.resume();
    await expectRecovered();
  });
});
