import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { ALL_SCOPES } from '../support/factories.js';
import { type OpenPageState, signInNewMember } from './page-state-actions.js';

/** The consent page and the page of a blocked account. */
export const CONSENT_PAGE_STATES: Record<string, OpenPageState> = {
  consent: async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto(
      context.detailedApp.startAuthorization({ scope: 'openid profile markers:read collections:write edits:write' }),
    );
  },
  'consent to everything': async (browser, context) => {
    await signInNewMember(browser, context, 'Wilhelmina Augustina van der Straatkunst-Muurschildering');
    await browser.goto(
      context.minimalApp.startAuthorization({
        scope: ALL_SCOPES.join(' '),
        redirect_uri: 'org.example.streetart.viewer:/callback',
      }),
    );
  },
  'consent to more than before': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto(context.detailedApp.startAuthorization({ scope: 'openid profile markers:read' }));
    await browser.waitForNavigation(() => browser.page.locator('[value=allow]').click());
    await browser.goto(
      context.detailedApp.startAuthorization({ scope: 'openid profile markers:read collections:write edits:write' }),
    );
  },
  'consent to what was left out': async (browser, context) => {
    await signInNewMember(browser, context);
    const request = { scope: 'openid profile markers:read collections:write edits:write' };
    await browser.goto(context.detailedApp.startAuthorization(request));
    await browser.page.locator('#edits\\:write').uncheck();
    await browser.waitForNavigation(() => browser.page.locator('[value=allow]').click());
    await browser.goto(context.detailedApp.startAuthorization(request));
  },
  'consent to a renamed app': async (browser, context) => {
    const { id: accountId } = await signInNewMember(browser, context);
    await browser.goto(context.detailedApp.startAuthorization({ scope: 'openid profile' }));
    await browser.waitForNavigation(() => browser.page.locator('[value=allow]').click());
    const seen = { seenNames: ['Nice Maps'], seenHosts: ['nice.example.org'] };
    const { server } = context.environment;
    await server.get(TransactionService).run((tx) => tx.update(Consent, { accountId }, seen));
    await browser.goto(context.detailedApp.startAuthorization({ scope: 'openid profile' }));
  },
  'consent of a blocked account': async (browser, context) => {
    const { username } = await signInNewMember(browser, context);
    await context.environment.server.get(AccountsService).block(username, 'Posted advertisements.');
    await browser.goto(context.detailedApp.startAuthorization());
  },
};
