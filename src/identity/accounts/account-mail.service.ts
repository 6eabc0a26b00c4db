import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { getClientIp } from '../../platform/http/client-address.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { negotiateLanguage } from '../../platform/i18n/request-language.js';
import { getCurrentRequest } from '../../platform/logging/request-context.js';
import type { Mail, MailKind } from '../../platform/mail/mail.js';
import { MailService } from '../../platform/mail/mail.service.js';
import type { Account } from './account.entity.js';
import { formatBrowserName } from './sessions/browser-name.js';

/** Pages to which the buttons of notices lead, which tell the person about a change. */
const NOTICE_PATHS: Partial<Record<MailKind, string>> = {
  passwordChanged: '/forgot-password',
  emailChanged: '/account/password',
  passkeyAdded: '/account/passkeys',
  passkeyRemoved: '/account/password',
  newSignIn: '/account/sessions',
  appConnected: '/account/apps',
  secretReplaced: '/developer/apps',
};

/** Content of a message that differs from the defaults of its kind. */
export interface AccountMailOptions {
  /**
   * Replaces the placeholders of the text. `{browser}`, `{address}` and `{time}` describe the
   * current request by default.
   */
  values?: Record<string, string>;
  /** Path and query of a page of this service, below `BASE_URL`, to which the message links. */
  path?: string;
  /** Address of the recipient, if it is not the address of the account. */
  email?: string;
}

/** Queues e-mail messages to the person of an account, in the person's language. */
@Injectable()
export class AccountMailService {
  constructor(
    private readonly mail: MailService,
    private readonly settings: Settings,
  ) {}

  /** Whether this service can send e-mail. */
  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /** Queues a message in the transaction that causes it. */
  async enqueue(
    tx: EntityManager,
    account: Account,
    kind: MailKind,
    { values = {}, path, email = account.email }: AccountMailOptions = {},
  ): Promise<void> {
    const language = account.language ?? getRequestLanguage();
    await this.mail.enqueue(tx, {
      kind,
      recipient: { accountId: account.id, email, name: account.name },
      language,
      values: { ...describeCurrentRequest(language), ...values },
      ...describeButton(kind, this.settings.BASE_URL, path),
    });
  }
}

/** Returns the members of a message that describe its button. @param path replaces the page of a notice */
export function describeButton(
  kind: MailKind,
  baseUrl: string,
  path = NOTICE_PATHS[kind],
): Pick<Mail, 'link' | 'isNotice'> {
  return { isNotice: NOTICE_PATHS[kind] !== undefined, ...(path !== undefined && { link: baseUrl + path }) };
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
