import { Global, Module } from '@nestjs/common';
import { getEnvironmentSettings } from './environment-settings.js';
import { Settings } from './settings.js';

/** Provides the validated settings everywhere. */
@Global()
@Module({
  providers: [{ provide: Settings, useFactory: getEnvironmentSettings }],
  exports: [Settings],
})
export class ConfigModule {}
