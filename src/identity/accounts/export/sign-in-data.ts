import { OutgoingEmail } from '../../../platform/mail/outgoing-email.entity.js';
import type { OutgoingEmailsStore } from '../../../platform/mail/outgoing-emails.store.js';
import { AccountLink } from '../account-link.entity.js';
import type { AccountLinksService } from '../account-links.service.js';
import { KnownBrowser } from '../sign-in/known-browser.entity.js';
import { KnownNetwork } from '../sign-in/known-network.entity.js';
import type { KnownSourcesService } from '../sign-in/known-devices.service.js';
import type { AccountData } from '../account-data.registry.js';

/** Describes the browsers and networks from which a person signed in. */
export function describeKnownSourcesData(knownSources: KnownSourcesService): AccountData {
  return {
    name: 'known_browsers_and_networks',
    entities: [KnownBrowser, KnownNetwork],
    export: async (accountId) => {
      const { browsers, networks } = await knownSources.list(accountId);
      return {
        browsers: browsers.map(({ createdAt, lastUsedAt }) => ({
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
        })),
        networks: networks.map(({ lastUsedAt }) => ({ last_used_at: lastUsedAt.toISOString() })),
      };
    },
    delete: (tx, { id }) => knownSources.deleteAll(tx, id),
  };
}

/** Describes the links that change an account, without their secrets. */
export function describeAccountLinkData(links: AccountLinksService): AccountData {
  return {
    name: 'links',
    entities: [AccountLink],
    export: async (accountId) =>
      (await links.list(accountId)).map(({ purpose, email, createdAt, expiresAt, usedAt }) => ({
        purpose,
        email,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => links.deleteAll(tx, id),
  };
}

/** Describes the e-mail of the last day, without its text, which contains secrets. */
export function describeMailData(emails: OutgoingEmailsStore): AccountData {
  return {
    name: 'emails',
    entities: [OutgoingEmail],
    export: async (accountId) =>
      (await emails.list(accountId)).map(({ kind, createdAt, sentAt }) => ({
        kind,
        created_at: createdAt.toISOString(),
        sent_at: sentAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => emails.deleteAll(tx, id),
  };
}
