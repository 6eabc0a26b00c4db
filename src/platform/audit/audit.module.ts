import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { AuditQueryService } from './audit-query.service.js';
import { AuditService } from './audit.service.js';

/** Records and lists audit events. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  providers: [AuditService, AuditQueryService],
  exports: [AuditService, AuditQueryService],
})
export class AuditModule {}
