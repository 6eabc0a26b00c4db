import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { type Metadata, metadata } from './metadata.js';
import { Settings } from '../config/settings.js';

/** What a client needs to know of us (RFC 8414, OpenID Connect Discovery 1.0). */
@Controller('.well-known')
export class DiscoveryController {
  constructor(private readonly settings: Settings) {}

  @Get('openid-configuration')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  openid(): Metadata {
    return metadata(this.settings.BASE_URL);
  }

  /** The same: what OAuth asks for is part of it (RFC 8414 §5). */
  @Get('oauth-authorization-server')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  oauth(): Metadata {
    return metadata(this.settings.BASE_URL);
  }
}
