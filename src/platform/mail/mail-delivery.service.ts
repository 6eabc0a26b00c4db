import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { EventLogger } from '../logging/event-logger.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { DatabasePollService } from '../scheduling/database-poll.service.js';
import { getNextAttempt, isLinkExpired } from './delivery-rules.js';
import { DevelopmentSender, type MailSender } from './mail-sender.js';
import { MailService } from './mail.service.js';
import { MessageCipherService } from './message-cipher.service.js';
import { type ClaimedEmail, OutgoingEmailsStore } from './outgoing-emails.store.js';
import { SmtpSender } from './smtp-sender.js';

/** Attempts of one process at a time, so that a slow one does not delay the others. */
const MAX_CONCURRENT_ATTEMPTS = 5;

/** Limit of one attempt. */
const ATTEMPT_TIMEOUT_MS = 60_000;

/** Duration of a lease. It is longer than an attempt, so that no message is attempted twice. */
export const DELIVERY_LEASE_MS = 120_000;

/** Time in which open attempts can complete while the service stops. */
const SHUTDOWN_GRACE_MS = 3000;

/** Delivers the messages of the outbox in the background. */
@Injectable()
export class MailDeliveryService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new EventLogger(MailDeliveryService.name);
  private readonly attemptsController = new AbortController();
  private readonly openAttempts = new Set<Promise<void>>();
  private readonly sender: MailSender;
  private isStopping = false;
  /** Set while due messages are claimed. */
  private claiming: Promise<void> | undefined;

  constructor(
    settings: Settings,
    private readonly mail: MailService,
    private readonly emails: OutgoingEmailsStore,
    private readonly cipher: MessageCipherService,
    private readonly metrics: MetricsService,
    private readonly databasePoll: DatabasePollService,
  ) {
    this.sender = settings.SMTP_URL ? new SmtpSender(settings.SMTP_URL, settings) : new DevelopmentSender();
  }

  onModuleInit(): void {
    this.metrics.registerGauge(
      { name: 'street_art_waiting_emails', help: 'Number of e-mails that wait for delivery.' },
      async (gauge) => gauge.set(await this.emails.countWaiting()),
    );
  }

  /** Starts to deliver messages, if e-mail is available. */
  start(): void {
    if (!this.mail.isAvailable) return;
    this.databasePoll.register<{ id: string }>({
      name: 'due_emails',
      columns: ['id'],
      from: '(SELECT id FROM outgoing_emails WHERE due_at <= :now LIMIT 1) AS due',
      receive: (due) => {
        if (due.length > 0 && !this.isStopping) this.claiming ??= this.deliverDue();
      },
    });
  }

  /** Lets open attempts complete for a short time. An aborted attempt is repeated later. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    const timer = setTimeout(() => this.attemptsController.abort(), SHUTDOWN_GRACE_MS);
    await this.claiming;
    await Promise.all(this.openAttempts);
    clearTimeout(timer);
  }

  /** Starts attempts until no message is due or the service stops. */
  private async deliverDue(): Promise<void> {
    for (let canHaveMore = true; canHaveMore && !this.isStopping;) {
      const limit = MAX_CONCURRENT_ATTEMPTS - this.openAttempts.size;
      const claimed = await this.claim(limit);
      for (const email of claimed) this.track(this.attempt(email));
      canHaveMore = claimed.length === limit;
      if (canHaveMore && this.openAttempts.size > 0) await Promise.race(this.openAttempts);
    }
    this.claiming = undefined;
  }

  private track(attempt: Promise<void>): void {
    const tracked = attempt
      .catch((error: unknown) => this.logOutboxError(error))
      .finally(() => this.openAttempts.delete(tracked));
    this.openAttempts.add(tracked);
  }

  private async claim(limit: number): Promise<ClaimedEmail[]> {
    try {
      return await this.emails.claim(limit, DELIVERY_LEASE_MS);
    } catch (error) {
      this.logOutboxError(error);
      return [];
    }
  }

  private async attempt(email: ClaimedEmail): Promise<void> {
    if (isLinkExpired(email.linkExpiresAt, new Date())) return this.dropExpired(email);
    try {
      await this.send(email);
    } catch (error) {
      return this.recordFailure(email, error);
    }
    await this.emails.markSent(email);
    this.metrics.emails.inc({ kind: email.kind, result: 'delivered' });
  }

  /** Erases a message whose link would not work for its reader. */
  private async dropExpired(email: ClaimedEmail): Promise<void> {
    await this.emails.markFailed(email, 'The link expired or was replaced before the delivery.');
    this.metrics.emails.inc({ kind: email.kind, result: 'expired' });
  }

  private async send({ message, createdAt }: ClaimedEmail): Promise<void> {
    const decrypted = this.cipher.decrypt(message);
    if (!decrypted) throw new Error('No MASTER_SECRET decrypts the message.');
    const signal = AbortSignal.any([this.attemptsController.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    await this.sender.send({ ...decrypted, createdAt }, signal);
  }

  private async recordFailure(email: ClaimedEmail, error: unknown): Promise<void> {
    const { kind, attempts, createdAt } = email;
    const reason = this.sender.describe(error);
    const next = this.sender.isPermanentFailure(error) ? undefined : getNextAttempt(createdAt, attempts, new Date());
    if (next) {
      await this.emails.postpone(email, next, reason);
      this.logger.log('email_postponed', 'An e-mail was not delivered. It is sent again later.', {
        kind,
        attempts,
        error: reason,
      });
    } else {
      await this.emails.markFailed(email, reason);
      this.metrics.emails.inc({ kind, result: 'failed' });
      this.logger.log('email_failed', 'An e-mail was not delivered, and the service gave it up.', {
        kind,
        attempts,
        error: reason,
      });
    }
  }

  private logOutboxError(error: unknown): void {
    this.logger.log('outbox_unavailable', 'The outbox cannot be read or changed.', { error });
  }
}
