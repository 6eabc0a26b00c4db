import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { ClientApp } from '../support/client-app.js';
import { createAccount } from '../support/factories.js';

/** The accounts and apps of the page states. */
export interface PageStateContext {
  environment: BrowserEnvironment;
  /** The owner of the apps. */
  developer: Account;
  /** An app with every optional field. */
  detailedApp: ClientApp;
  /** An app without optional fields and with a long name. */
  minimalApp: ClientApp;
}

/** Settings with which an address must be confirmed. No test delivers the messages. */
const MAIL_SETTINGS = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'map@example.org' };

/** Starts Chromium and creates the accounts and apps of the page states; registers the hooks. */
export function usePageStates(): PageStateContext {
  const context = {} as PageStateContext;
  beforeAll(async () => {
    const environment = await BrowserEnvironment.start(MAIL_SETTINGS);
    const developer = await createAccount(environment.server, { username: 'tomas', name: 'Tomáš Dvořák' });
    const detailedApp = await ClientApp.start(environment.server, {
      name: 'WallWalker',
      description: 'Walks from mural to mural, and keeps the ones you liked.',
      homePage: 'https://wallwalker.example',
      ownerId: developer.id,
      requiredScopes: ['markers:read'],
    });
    const minimalApp = await ClientApp.start(environment.server, {
      name: `${'Straßenkunstkartenbetrachtungs'.repeat(3)}app`,
      clientType: 'public',
      redirectUris: ['org.example.streetart.viewer:/callback'],
    });
    Object.assign(context, { environment, developer, detailedApp, minimalApp });
  });
  afterEach(() => context.environment.closePages());
  afterAll(async () => {
    await Promise.all([context.detailedApp.stop(), context.minimalApp.stop()]);
    await context.environment.stop();
  });
  return context;
}
