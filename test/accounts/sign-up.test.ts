import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

describe('Signing up', () => {
  let server: TestServer;
  let browser: BrowserClient;
  let count = 0;
  let given: Record<'username' | 'name' | 'email' | 'password', string>;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    browser = new BrowserClient(server);
    given = {
      username: `new${++count}`,
      name: 'Neo Neuling',
      email: `new${count}@example.org`,
      password: 'long enough',
    };
  });

  const signUp = async (more: Partial<typeof given> = {}, path = '/sign-up'): Promise<PageResponse> =>
    browser.submitForm(await browser.get(path), '/sign-up', { ...given, ...more });
  const exists = (): Promise<boolean> => server.entityManager.existsBy(Account, { username: given.username });

  it('makes an account and signs the person in, on their way', async () => {
    const { status, location } = await signUp({}, '/sign-up?return_to=%2Fdeveloper%2Fapps');
    expect({ status, location }).toEqual({ status: 303, location: '/developer/apps' });
    expect((await browser.get('/developer/apps')).status).toBe(200);
    const account = await server.entityManager.findOneByOrFail(Account, { username: given.username });
    expect(account).toMatchObject({ role: 'member', regions: [], emailVerifiedAt: null, name: 'Neo Neuling' });
    expect(JSON.stringify(account)).not.toContain(given.password);
  });

  it('cannot give oneself a role', async () => {
    await browser.post('/sign-up', { ...given, role: 'moderator', regions: '*', emailVerified: 'true' });
    const account = await server.entityManager.findOneByOrFail(Account, { username: given.username });
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
    'with the %s %j is refused beside that field, keeps what was typed but the password, and makes nothing',
    async (field, value) => {
      const { status, html } = await signUp({ [field]: value });
      expect(status).toBe(422);
      expect(html).toMatch(new RegExp(`id="${field}-error"`));
      expect(html.match(/id="\w+-error"/g)).toHaveLength(1);
      expect(html).toMatch(
        new RegExp(`id="${field}"[^>]*aria-describedby="[^"]*${field}-error"[^>]*aria-invalid="true"`),
      );
      if (field !== 'name') expect(html).toContain('value="Neo Neuling"');
      expect(html).not.toContain(given.password);
      expect(await exists()).toBe(false);
    },
  );

  it('names all that is wrong at once', async () => {
    const { html } = await signUp({ username: '', email: '', name: '', password: '' });
    for (const field of ['username', 'email', 'name', 'password']) expect(html).toContain(`id="${field}-error"`);
  });

  it('with a name or address that is taken, in any case, is refused', async () => {
    const other = await createAccount(server);
    expect((await signUp({ username: other.username.toUpperCase() })).html).toContain('username-error');
    expect((await signUp({ email: other.email.toUpperCase() })).html).toContain('email-error');
    expect(await exists()).toBe(false);
  });

  it('sent twice at once makes one account', async () => {
    const answers = await Promise.all([signUp(), signUp()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(await server.entityManager.countBy(Account, { username: given.username })).toBe(1);
  });
});
