import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { getClientIp } from '../../platform/http/client-address.js';
import { type Language, type Messages, MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { negotiateLanguage } from '../../platform/i18n/request-language.js';
import { getCurrentRequest } from '../../platform/logging/request-context.js';
import type { Mail, MailTexts } from '../../platform/mail/mail.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { TextSigner } from '../../platform/crypto/text-signer.js';
import type { Account } from './account.entity.js';
import { EMAIL_UNCONFIRMED } from './account-permissions.js';
import { formatBrowserName } from './sessions/browser-name.js';

/** The reason of a message. Each kind has its texts in `locales`. */
export type MailKind = Exclude<keyof Messages['mail'], 'greeting' | 'footer'>;

/**
 * Pages to which the buttons of notices lead, which tell the person about a change. Null if only a
 * link to an address that was confirmed makes a button.
 */
const NOTICE_PATHS: Partial<Record<MailKind, string | null>> = {
  passwordChanged: '/forgot-password',
  emailChangeRequested: null,
  emailChanged: null,
  passkeyAdded: '/account/passkeys',
  passkeyRemoved: '/account/password',
  accountBlocked: '/account',
  newSignIn: '/account/sessions',
  appConnected: '/account/apps',
  secretReplaced: '/developer/apps',
  redirectUrisChanged: '/developer/apps',
  suggestionsDecided: '/',
};

/** Start of the path of the page that ends messages about decisions, below `BASE_URL`. */
const UNSUBSCRIBE_PATH = '/unsubscribe?token=';

/** Content of a message that differs from the defaults of its kind. */
export interface AccountMailOptions {
  /**
   * Replaces the placeholders of the text. `{browser}`, `{address}` and `{time}` describe the
   * current request by default.
   */
  values?: Record<string, string>;
  /** Replaces placeholders by lists in the language of the message, one item per line. */
  lists?: (language: Language) => Record<string, string[]>;
  /** Path and query of a page of this service, below `BASE_URL`, to which the message links. */
  path?: string;
  /** When the link to the page expires, if it does. */
  linkExpiresAt?: Date;
  /** Address of the recipient, if it is not the address of the account. */
  email?: string | null;
  /** Whether the message has a link that ends messages of its kind. */
  canUnsubscribe?: boolean;
  /** Null if the message is sent although the account is deleted. */
  accountId?: string | null;
}

/** Queues e-mail messages to the person of an account, in the person's language. */
@Injectable()
export class AccountMailService {
  private readonly unsubscribeSigner: TextSigner;

  constructor(
    private readonly mail: MailService,
    private readonly settings: Settings,
  ) {
    this.unsubscribeSigner = new TextSigner(settings.MASTER_SECRET, 'unsubscribe');
  }

  /** Whether this service can send e-mail. */
  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /**
   * Returns a denial if the person must confirm the e-mail address first: the service has a mail
   * server, and the address proves nothing yet.
   */
  checkConfirmed({ emailVerifiedAt }: Account): typeof EMAIL_UNCONFIRMED | null {
    return this.settings.SMTP_URL !== undefined && emailVerifiedAt === null ? EMAIL_UNCONFIRMED : null;
  }

  /**
   * Queues a message in the transaction that causes it. Does nothing for an account without an
   * address.
   */
  async enqueue(
    tx: EntityManager,
    account: Account,
    kind: MailKind,
    {
      values,
      lists,
      path,
      linkExpiresAt,
      email = account.email,
      accountId = account.id,
      canUnsubscribe = false,
    }: AccountMailOptions = {},
  ): Promise<void> {
    if (email === null) return;
    const language = account.language ?? getRequestLanguage();
    const mail = composeMail(kind, language, this.settings.BASE_URL, {
      path,
      values: { ...describeCurrentRequest(language), ...values },
    });
    await this.mail.enqueue(tx, {
      ...mail,
      ...(lists && { lists: lists(language) }),
      ...(linkExpiresAt && { linkExpiresAt }),
      ...(canUnsubscribe && { unsubscribeUrl: this.buildUnsubscribeUrl(account) }),
      recipient: { accountId, email, name: account.name },
    });
  }

  /** Returns the id of the account to which the token of a link was sent; undefined if none was. */
  readUnsubscribeToken(token: string): string | undefined {
    return this.unsubscribeSigner.verify(token);
  }

  private buildUnsubscribeUrl({ id }: Account): string {
    return this.settings.BASE_URL + UNSUBSCRIBE_PATH + this.unsubscribeSigner.sign(id);
  }
}

/** Returns a message without its recipient. The button of a notice leads to its page by default. */
export function composeMail(
  kind: MailKind,
  language: Language,
  baseUrl: string,
  {
    path = NOTICE_PATHS[kind] ?? undefined,
    values: { newEmail, ...values } = {},
  }: Pick<AccountMailOptions, 'path' | 'values'> = {},
): Omit<Mail, 'recipient'> {
  const texts: MailTexts = MESSAGES_BY_LANGUAGE[language].mail[kind];
  return {
    kind,
    language,
    texts,
    values: { ...values, ...(newEmail !== undefined && { newEmail: maskEmail(newEmail) }) },
    isNotice: NOTICE_PATHS[kind] !== undefined,
    ...(path !== undefined && { link: baseUrl + path }),
  };
}

/** Hides most of the local part: other people can read the mailbox of the old address. */
function maskEmail(email: string): string {
  const [first = ''] = email;
  return `${first}…${email.slice(email.lastIndexOf('@'))}`;
}

function getRequestLanguage(): Language {
  const request = getCurrentRequest();
  return request ? negotiateLanguage(request) : 'en';
}

function describeCurrentRequest(language: Language): Record<string, string> {
  const userAgent = getCurrentRequest()?.headers['user-agent'] ?? null;
  return {
    browser: formatBrowserName(userAgent) ?? MESSAGES_BY_LANGUAGE[language].activity.unknownBrowser,
    address: getClientIp() ?? '',
    time: new Date().toISOString(),
  };
}
