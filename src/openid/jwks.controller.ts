import { Controller, Get, Header } from '@nestjs/common';
import type { JsonWebKey } from 'node:crypto';
import { SigningKeys } from '../keys/signing-keys.js';
import { Public } from '../scopes/public.decorator.js';

/** The public halves of the keys that sign our tokens (RFC 7517). */
@Controller('api/oauth/jwks')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=300')
  keySet(): { keys: JsonWebKey[] } {
    return { keys: this.keys.list().map(({ jwk }) => jwk) };
  }
}
