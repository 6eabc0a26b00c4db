import { Injectable } from '@nestjs/common';
import { RouteRegistryService } from '../../identity/scopes/route-registry.service.js';
import { Settings } from '../../platform/config/settings.js';

/** The OpenAPI document. The first request loads and builds it, so that the service starts without its descriptions. */
@Injectable()
export class OpenApiService {
  private documentJson: Promise<string> | undefined;

  constructor(
    private readonly routes: RouteRegistryService,
    private readonly settings: Settings,
  ) {}

  /** Returns the document as JSON. */
  getDocumentJson(): Promise<string> {
    this.documentJson ??= this.buildDocumentJson().catch((error: unknown) => {
      this.documentJson = undefined; // The next request tries again.
      throw error;
    });
    return this.documentJson;
  }

  private async buildDocumentJson(): Promise<string> {
    const { buildOpenApiDocument } = await import('./openapi-document.js');
    return JSON.stringify(await buildOpenApiDocument(this.routes.list(), this.settings.BASE_URL));
  }
}
