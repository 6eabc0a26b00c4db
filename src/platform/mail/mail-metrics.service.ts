import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../metrics/metrics.service.js';
import type { MailKind } from './mail.js';
import { OutgoingEmailsStore } from './outgoing-emails.store.js';

/** The metrics of e-mail. */
@Injectable()
export class MailMetricsService implements OnModuleInit {
  /** The previous count, which is reported while the database is unavailable. */
  private waiting = 0;

  constructor(
    private readonly emails: OutgoingEmailsStore,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      {
        name: 'street_art_waiting_emails',
        help: 'Number of e-mails that wait for delivery.',
        aggregator: 'max', // all workers count the same rows
      },
      async (gauge) => gauge.set(await this.countWaiting()),
    );
  }

  /** Counts a message that the mail server accepted. */
  countDelivered(kind: MailKind): void {
    this.metrics.emails.inc({ kind, result: 'delivered' });
  }

  /** Counts a message that is given up. */
  countFailed(kind: MailKind): void {
    this.metrics.emails.inc({ kind, result: 'failed' });
  }

  private async countWaiting(): Promise<number> {
    this.waiting = await this.emails.countWaiting().catch(() => this.waiting);
    return this.waiting;
  }
}
