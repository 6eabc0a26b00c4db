import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { KeyRotation } from './key-rotation.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeys } from './signing-keys.js';

@Module({
  imports: [TypeOrmModule.forFeature([SigningKey]), AuditModule],
  providers: [KeyRotation, SigningKeys],
  exports: [KeyRotation, SigningKeys],
})
export class KeysModule {}
