import { type INestApplication, Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';

/**
 * The OpenAPI document. It and what it is made with are loaded when somebody first asks for it: a service that nobody
 * reads about starts without them.
 */
@Injectable()
export class OpenApi {
  private app: INestApplication | undefined;
  private made: Promise<string> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Tells which application it is about. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** As JSON. */
  text(): Promise<string> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined; // perhaps the next one succeeds
      throw error;
    });
    return this.made;
  }

  private async make(): Promise<string> {
    const { buildDocument } = await import('./document/build.js');
    return JSON.stringify(await buildDocument(this.app!, this.settings.BASE_URL));
  }
}
