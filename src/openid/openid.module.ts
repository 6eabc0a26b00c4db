import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { KeysModule } from '../keys/keys.module.js';
import { IdTokens } from './id-tokens.js';

@Module({
  imports: [KeysModule, JwtModule.register({})],
  providers: [IdTokens],
  exports: [IdTokens],
})
export class OpenIdModule {}
