import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

describe('Sign-up', () => {
  let server: TestServer;
  let browser: BrowserClient;
  let count = 0;
  let parameters: Record<'username' | 'name' | 'email' | 'password', string>;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    browser = new BrowserClient(server);
    parameters = {
      username: `new${++count}`,
      name: 'Neo Neuling',
      email: `new${count}@example.org`,
      password: 'long enough',
    };
  });

  const signUp = async (overrides: Partial<typeof parameters> = {}, path = '/sign-up'): Promise<PageResponse> =>
    browser.submitForm(await browser.get(path), '/sign-up', { ...parameters, ...overrides });
  const exists = (): Promise<boolean> => server.entityManager.existsBy(Account, { username: parameters.username });

  it('creates an account, signs it in, and returns to the page before', async () => {
    const { status, location } = await signUp({}, '/sign-up?return_to=%2Fdeveloper%2Fapps');
    expect({ status, location }).toEqual({ status: 303, location: '/developer/apps' });
    expect((await browser.get('/developer/apps')).status).toBe(200);
    const account = await server.entityManager.findOneByOrFail(Account, { username: parameters.username });
    expect(account).toMatchObject({ role: 'member', regions: [], emailVerifiedAt: null, name: 'Neo Neuling' });
    expect(JSON.stringify(account)).not.toContain(parameters.password);
  });

  it('ignores a role in the form', async () => {
    await browser.post('/sign-up', { ...parameters, role: 'moderator', regions: '*', emailVerified: 'true' });
    const account = await server.entityManager.findOneByOrFail(Account, { username: parameters.username });
    expect(account).toMatchObject({ role: 'member', regions: [], emailVerifiedAt: null });
  });

  it.each<[field: string, value: string]>([
    ['username', ''],
    ['username', '-dash'],
    ['username', 'two words'],
    ['username', 'x'.repeat(40)],
    ['username', 'Иван'],
    ['email', 'nonsense'],
    ['email', `${'x'.repeat(250)}@example.org`],
    ['email', `${'\uFDFA'.repeat(60)}@x`],
    ['name', ' '],
    ['name', 'a\u202eb'],
    ['name', 'x'.repeat(101)],
    ['password', ''],
    ['password', 'short'],
    ['password', 'x'.repeat(1001)],
  ])(
    'rejects the %s %j beside its field, keeps the other fields without the password, and creates nothing',
    async (field, value) => {
      const { status, html } = await signUp({ [field]: value });
      expect(status).toBe(422);
      expect(html).toMatch(new RegExp(`id="${field}-error"`));
      expect(html.match(/id="\w+-error"/g)).toHaveLength(1);
      expect(html).toMatch(
        new RegExp(`id="${field}"[^>]*aria-describedby="[^"]*${field}-error"[^>]*aria-invalid="true"`),
      );
      if (field !== 'name') expect(html).toContain('value="Neo Neuling"');
      expect(html).not.toContain(parameters.password);
      expect(await exists()).toBe(false);
    },
  );

  it('shows all errors at once', async () => {
    const { html } = await signUp({ username: '', email: '', name: '', password: '' });
    for (const field of ['username', 'email', 'name', 'password']) expect(html).toContain(`id="${field}-error"`);
  });

  it('rejects a username or e-mail address that is taken, in any case', async () => {
    const other = await createAccount(server);
    expect((await signUp({ username: other.username.toUpperCase() })).html).toContain('username-error');
    expect((await signUp({ email: other.email.toUpperCase() })).html).toContain('email-error');
    expect(await exists()).toBe(false);
  });

  it('rejects the username that responses show for deleted accounts', async () => {
    expect((await signUp({ username: 'Deleted' })).html).toContain('username-error');
    expect(await exists()).toBe(false);
  });

  it('creates one account for two concurrent requests', async () => {
    const responses = await Promise.all([signUp(), signUp()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(await server.entityManager.countBy(Account, { username: parameters.username })).toBe(1);
  });
});
