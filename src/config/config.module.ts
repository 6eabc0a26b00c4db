import { Global, Module } from '@nestjs/common';
import { environmentSettings } from './environment-settings.js';
import { Settings } from './settings.js';

@Global()
@Module({
  providers: [{ provide: Settings, useFactory: environmentSettings }],
  exports: [Settings],
})
export class ConfigModule {}
