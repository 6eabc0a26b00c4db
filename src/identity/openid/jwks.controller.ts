import { Controller, Get, Header } from '@nestjs/common';
import type { JwkSet } from '../keys/jwk-set.dto.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import { Public } from '../../platform/http/public.decorator.js';

/** The public keys that verify tokens of this service (RFC 7517). */
@Controller('api/oauth/jwks')
export class JwksController {
  constructor(private readonly keys: SigningKeysService) {}

  @Get()
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=300')
  getKeySet(): JwkSet {
    return { keys: this.keys.list().map(({ jwk }) => jwk) };
  }
}
