import { Module } from '@nestjs/common';
import { Audit } from './audit.service.js';

@Module({ providers: [Audit], exports: [Audit] })
export class AuditModule {}
