import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import {
  type ProviderMetadata,
  buildProviderMetadata,
  buildResourceMetadata,
  type ResourceMetadata,
} from './provider-metadata.js';
import { Settings } from '../../platform/config/settings.js';
import type { JwkSet } from '../keys/jwk-set.dto.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';

/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery 1.0). */
@Controller('.well-known')
export class DiscoveryController {
  constructor(private readonly settings: Settings) {}

  @Get('openid-configuration')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getOpenidConfiguration(): ProviderMetadata {
    return buildProviderMetadata(this.settings);
  }

  /** Returns the same document, since OAuth metadata is a subset of it (RFC 8414 §5). */
  @Get('oauth-authorization-server')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getAuthorizationServerMetadata(): ProviderMetadata {
    return buildProviderMetadata(this.settings);
  }
}

/** The metadata of the protected resources, for clients that know only their address (RFC 9728). */
@Controller('.well-known/oauth-protected-resource')
export class ResourceMetadataController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getDefault(): ResourceMetadata {
    return this.getApi();
  }

  @Get('api')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getApi(): ResourceMetadata {
    return buildResourceMetadata(this.settings.BASE_URL, 'api');
  }

  @Get('mcp')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getMcp(): ResourceMetadata {
    return buildResourceMetadata(this.settings.BASE_URL, 'mcp');
  }
}

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
