import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LessThan } from 'typeorm';
import { MetricsModule } from '../metrics/metrics.module.js';
import { RetentionService } from '../scheduling/retention.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { MAX_WAIT_MS } from './delivery-rules.js';
import { MailService } from './mail.service.js';
import { MessageCipherService } from './message-cipher.service.js';
import { OutgoingEmail } from './outgoing-email.entity.js';
import { OutgoingEmailsStore } from './outgoing-emails.store.js';

/** Time for which the last attempts of the oldest messages can still run. */
const RETENTION_MARGIN_MS = 3600_000;

/**
 * Provides the outbox of e-mail. Requests and commands write to it; `MailDeliveryService` delivers
 * the messages.
 */
@Module({
  imports: [TypeOrmModule.forFeature([OutgoingEmail]), MetricsModule, SchedulingModule],
  providers: [MailService, MessageCipherService, OutgoingEmailsStore],
  exports: [MailService, MessageCipherService, OutgoingEmailsStore],
})
export class MailModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  onModuleInit(): void {
    this.retention.register({
      entity: OutgoingEmail,
      key: 'id',
      where: (now) => ({ createdAt: LessThan(new Date(now - MAX_WAIT_MS - RETENTION_MARGIN_MS)) }),
      order: { createdAt: 'ASC' },
    });
  }
}
