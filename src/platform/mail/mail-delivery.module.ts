import { Module } from '@nestjs/common';
import { MailDeliveryService } from './mail-delivery.service.js';
import { MailModule } from './mail.module.js';

/**
 * Delivers the messages of the outbox. Only the service imports this module: commands queue
 * messages and do not load the mail and metrics libraries.
 */
@Module({
  imports: [MailModule],
  providers: [MailDeliveryService],
  exports: [MailDeliveryService],
})
export class MailDeliveryModule {}
