import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../metrics/metrics.service.js';
import type { MailKind } from './mail.js';
import { OutgoingEmailsStore } from './outgoing-emails.store.js';

/** The metrics of e-mail. */
@Injectable()
export class MailMetricsService implements OnModuleInit {
  constructor(
    private readonly emails: OutgoingEmailsStore,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      { name: 'street_art_waiting_emails', help: 'Number of e-mails that wait for delivery.' },
      async (gauge) => gauge.set(await this.emails.countWaiting()),
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
}
