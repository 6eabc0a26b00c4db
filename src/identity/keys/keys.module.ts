import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { KeyRotationService } from './key-rotation.service.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';

/** The keys that sign tokens, and their rotation. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKey]), AuditModule],
  providers: [KeyRotationService, SigningKeysService],
  exports: [KeyRotationService, SigningKeysService],
})
export class KeysModule {}
