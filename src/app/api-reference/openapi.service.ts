import { Injectable } from '@nestjs/common';
import { RouteRegistryService } from '../../identity/scopes/route-registry.service.js';
import { Settings } from '../../platform/config/settings.js';
import type { ApiDescription } from '../../platform/openapi/api-description.js';
import type { ReferenceDocument } from './page/reference-document.js';

/** The document as the page of the API reference shows it. */
interface Reference {
  document: ReferenceDocument;
  /** The text of the document about all operations, as HTML. */
  conventionsHtml: string;
}

/**
 * The OpenAPI document. The first request loads and builds it, so that the service starts without
 * its descriptions.
 */
@Injectable()
export class OpenApiService {
  private documentJson: Promise<string> | undefined;
  private reference: Promise<Reference> | undefined;

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

  /** Returns the document for the page. @param referenceApi the description of the document */
  getReference(referenceApi: ApiDescription): Promise<Reference> {
    this.reference ??= this.buildReference(referenceApi).catch((error: unknown) => {
      this.reference = undefined; // The next request tries again.
      throw error;
    });
    return this.reference;
  }

  private async buildDocumentJson(referenceApi: ApiDescription): Promise<string> {
    const { buildOpenApiDocument } = await import('./openapi-document.js');
    return JSON.stringify(buildOpenApiDocument([referenceApi], this.routes.list(), this.settings));
  }

  private async buildReference(referenceApi: ApiDescription): Promise<Reference> {
    const document = JSON.parse(await this.getDocumentJson(referenceApi)) as ReferenceDocument;
    const { marked } = await import('marked');
    // The text is this service's own, so its HTML needs no sanitizer.
    return { document, conventionsHtml: marked.parse(document.info.description, { async: false }) };
  }
}
