import { Injectable } from '@nestjs/common';
import { RouteRegistryService } from '../../identity/scopes/route-registry.service.js';
import { Settings } from '../../platform/config/settings.js';
import type { ApiDescription } from '../../platform/openapi/api-description.js';

/**
 * The OpenAPI document. The first request loads and builds it, so that the service starts without
 * its descriptions.
 */
@Injectable()
export class OpenApiService {
  private documentJson: Promise<string> | undefined;

  constructor(
    private readonly routes: RouteRegistryService,
    private readonly settings: Settings,
  ) {}

  /** Returns the document as JSON. @param referenceApi the description of the document itself */
  getDocumentJson(referenceApi: ApiDescription): Promise<string> {
    this.documentJson ??= this.buildDocumentJson(referenceApi).catch((error: unknown) => {
      this.documentJson = undefined; // The next request tries again.
      throw error;
    });
    return this.documentJson;
  }

  private async buildDocumentJson(referenceApi: ApiDescription): Promise<string> {
    const { buildOpenApiDocument } = await import('./openapi-document.js');
    return JSON.stringify(await buildOpenApiDocument([referenceApi], this.routes.list(), this.settings.BASE_URL));
  }
}
