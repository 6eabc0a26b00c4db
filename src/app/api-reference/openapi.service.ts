import { type INestApplication, Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';

/**
 * The OpenAPI document. It and what it is made with are loaded when somebody first asks for it: a service that nobody
 * reads about starts without them.
 */
@Injectable()
export class OpenApiService {
  private app: INestApplication | undefined;
  private documentJson: Promise<string> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Tells which application it is about. */
  setApplication(app: INestApplication): void {
    this.app = app;
  }

  /** As JSON. */
  getDocumentJson(): Promise<string> {
    this.documentJson ??= this.buildDocumentJson().catch((error: unknown) => {
      this.documentJson = undefined; // perhaps the next one succeeds
      throw error;
    });
    return this.documentJson;
  }

  private async buildDocumentJson(): Promise<string> {
    const { buildOpenApiDocument } = await import('./openapi-document.js');
    return JSON.stringify(await buildOpenApiDocument(this.app!, this.settings.BASE_URL));
  }
}
