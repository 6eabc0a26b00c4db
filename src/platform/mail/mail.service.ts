import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseMailbox } from '../config/mail-settings.js';
import { Settings } from '../config/settings.js';
import { generateId } from '../database/ids.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { renderHtml, renderText, writeMailContent } from './render-mail.js';
import type { Mail, OutgoingMessage } from './mail.js';
import { MessageCipherService } from './message-cipher.service.js';
import { OutgoingEmailsStore } from './outgoing-emails.store.js';

/** Messages per hour to one address for the same reason. */
export const MAX_MESSAGES_PER_HOUR = 5;

/** Writes e-mail to the outbox, in the transaction of the change that causes it. */
@Injectable()
export class MailService {
  constructor(
    private readonly settings: Settings,
    private readonly emails: OutgoingEmailsStore,
    private readonly cipher: MessageCipherService,
    private readonly metrics: MetricsService,
  ) {}

  /** Whether e-mail can be sent: `SMTP_URL` is set, or this is development. */
  get isAvailable(): boolean {
    return this.settings.SMTP_URL !== undefined || !this.settings.isProduction;
  }

  /**
   * Queues a message in the transaction that causes it. Does nothing if e-mail is unavailable.
   * A link that expires replaces those in waiting messages of this kind to this account, which are
   * not sent any more.
   * Drops and counts the message if its address is invalid or has received too many messages of
   * this kind.
   * On PostgreSQL it holds a lock of the address until the commit, so lock rows first.
   */
  async enqueue(tx: EntityManager, mail: Mail): Promise<void> {
    if (!this.isAvailable) return;
    const { kind, recipient, linkExpiresAt = null } = mail;
    if (!isPlainAddress(recipient.email)) return this.drop(mail, 'invalid_address');
    const recipientDigest = this.cipher.computeRecipientDigest(recipient.email, kind);
    if (await this.isLimitReached(tx, recipientDigest)) return this.drop(mail, 'too_many_messages');
    const id = generateId('eml');
    const message = this.cipher.encrypt(this.renderMessage(id, mail));
    const { accountId } = recipient;
    if (accountId !== null && linkExpiresAt) await this.emails.expireLinks(tx, accountId, kind);
    await this.emails.insert(tx, { id, accountId, recipientDigest, kind, message, linkExpiresAt });
  }

  private async isLimitReached(tx: EntityManager, recipientDigest: string): Promise<boolean> {
    if (this.settings.RATE_LIMITS === 'off') return false;
    return (await this.emails.countLastHour(tx, recipientDigest)) >= MAX_MESSAGES_PER_HOUR;
  }

  private renderMessage(id: string, mail: Mail): OutgoingMessage {
    const { BASE_URL } = this.settings;
    const { unsubscribeUrl } = mail;
    const content = writeMailContent(mail, BASE_URL);
    const { language, subject } = content;
    return {
      messageId: `<${id}@${new URL(BASE_URL).hostname}>`,
      to: mail.recipient.email,
      language,
      subject,
      text: renderText(content),
      html: renderHtml(content),
      unsubscribeUrl,
    };
  }

  /** An attacker can cause many, so they are counted and not logged. */
  private drop({ kind }: Mail, result: string): void {
    this.metrics.emails.inc({ kind, result });
  }
}

/** Whether a text is one address without a display name, which cannot add recipients or headers. */
function isPlainAddress(text: string): boolean {
  return parseMailbox(text)?.address === text;
}
