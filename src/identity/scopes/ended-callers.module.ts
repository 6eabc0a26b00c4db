import { Module } from '@nestjs/common';
import { DisabledAppsRegistry, EndedAccessRegistry } from './ended-callers.registry.js';

/**
 * The accounts and apps whose access tokens are rejected. The modules of accounts and apps import
 * it without the signing keys, so that commands work when the keys cannot be decrypted.
 */
@Module({
  providers: [DisabledAppsRegistry, EndedAccessRegistry],
  exports: [DisabledAppsRegistry, EndedAccessRegistry],
})
export class EndedCallersModule {}
