import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { type Metadata, metadata } from './metadata.js';
import { Settings } from '../config/settings.js';

/** What a client needs to know of us (RFC 8414, OpenID Connect Discovery 1.0). */
@Controller('.well-known')
export class DiscoveryController {
  constructor(private readonly settings: Settings) {}

  @Get(['openid-configuration', 'oauth-authorization-server'])
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  discover(): Metadata {
    return metadata(this.settings.BASE_URL);
  }
}
