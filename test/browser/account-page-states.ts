import { TextSigner } from '../../src/platform/crypto/text-signer.js';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { BrowserClient } from '../support/browser-client.js';
import type { BrowserPage } from '../support/browser-page.js';
import { createAccount } from '../support/factories.js';
import { createPasskey } from '../support/passkey-fixture.js';
import { drawPicture } from '../support/test-pictures.js';
import {
  fillByName,
  type OpenPageState,
  signInByRequest,
  signInNewMember,
  signInUnconfirmedMember,
} from './page-state-actions.js';
import type { PageStateContext } from './page-state-context.js';

/** Signs a member in with another browser, whose network has the longest kind of address. */
async function signInElsewhere({ environment: { server } }: PageStateContext, account: Account): Promise<void> {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await new BrowserClient(server, { 'User-Agent': userAgent }).signIn(account);
  const ipAddress = '2001:db8:85a3:1234:5678:8a2e:370:7334';
  const where = { accountId: account.id, userAgent };
  await server.get(TransactionService).run((tx) => tx.update(Session, where, { ipAddress }));
}

async function uploadPicture({ page }: BrowserPage, { name }: Account): Promise<void> {
  const buffer = await drawPicture().png().toBuffer();
  const multipart = { name, language: '', picture: { name: 'mila.png', mimeType: 'image/png', buffer } };
  await page.context().request.post('/account/profile', { multipart, maxRedirects: 0 });
}

/** The pages on which people manage their account, in each of their states. */
export const ACCOUNT_PAGE_STATES: Record<string, OpenPageState> = {
  'account safety': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    await createPasskey(context.environment.server, account);
    await browser.goto('/account/safety');
  },
  account: async (browser, context) => {
    const account = await signInNewMember(browser, context, 'Wilhelmina Augustina van der Straatkunst-Muurschildering');
    await uploadPicture(browser, account);
    await browser.goto('/account');
  },
  'account with an unconfirmed e-mail address': async (browser, context) => {
    await signInUnconfirmedMember(browser, context);
    await browser.goto('/account');
  },
  profile: async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/profile');
  },
  role: async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/role');
  },
  'link that ends e-mail': async (browser, { environment: { server } }) => {
    const { id } = await createAccount(server);
    const token = new TextSigner(server.settings.MASTER_SECRET, 'unsubscribe').sign(id);
    await browser.goto(`/unsubscribe?token=${token}`);
  },
  'profile with a picture': async (browser, context) => {
    await uploadPicture(browser, await signInNewMember(browser, context));
    await browser.goto('/account/profile?done=saved');
  },
  'profile with a picture of another site': async (browser, { environment: { server } }) => {
    const picture = `https://pictures.example.org/${'a-long-name-'.repeat(12)}.jpg`;
    await signInByRequest(browser, await createAccount(server, { picture }));
    await browser.goto('/account/profile');
  },
  'profile with errors': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/profile');
    await fillByName(browser, { name: ' ' });
    await browser.page
      .locator('#language option')
      .last()
      .evaluate((option) => option.setAttribute('value', 'xx'));
    await browser.page.locator('#language').selectOption('xx');
    await browser.waitForNavigation(() => browser.page.locator('main form:has(select) button').click());
  },
  'profile with a wrong picture': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/profile');
    const file = { name: 'mila.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') };
    await browser.page.locator('#picture').setInputFiles(file);
    await browser.waitForNavigation(() => browser.page.locator('main form:has(select) button').click());
  },
  'one session': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/sessions');
  },
  sessions: async (browser, context) => {
    const account = await signInNewMember(browser, context);
    await signInElsewhere(context, account);
    await browser.goto('/account/sessions');
  },
  'session ended': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    for (let count = 0; count < 2; count++) await signInElsewhere(context, account);
    await browser.goto('/account/sessions');
    await browser.waitForNavigation(() => browser.page.locator('main li button').last().click());
  },
};
