import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource, type EntityManager } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { APP_OPTIONS, configureApp } from '../../src/app.setup.js';
import { readSettings, Settings } from '../../src/platform/config/settings.js';
import { GracefulExpressAdapter } from '../../src/platform/http/graceful-express.adapter.js';
import { type DeclaredRoute, RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import { copyTemplateDatabase, type TestDatabase } from './database.js';
import { assertDocumented } from './documented-responses.js';
import { registerOpenResource } from './open-resources.js';
import { TEST_SETTINGS } from './test-settings.js';

/** The parsed JSON of a response, or its text. Each test states the members that it expects. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ResponseBody = any;

/** The status, the headers and the body of a response. */
export interface TestResponse {
  status: number;
  headers: Headers;
  body: ResponseBody;
}

/**
 * The access token, the body and the headers of a request. A body that is not a string is sent as
 * JSON.
 */
export interface RequestOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * The application in the test process, listening, on its own database unless `DATABASE_URL` is set.
 */
export class TestServer {
  /** The address that the server listens on. */
  url!: string;
  private readonly unregister = registerOpenResource(() => this.stop());

  private constructor(
    private readonly app: NestExpressApplication,
    readonly settings: Settings,
    private readonly database: TestDatabase | undefined,
  ) {}

  /** Starts the application on `PORT`, or on a free port. */
  static async start(environment: Record<string, string> = {}, controllers: Type[] = []): Promise<TestServer> {
    const hasDatabase = environment['DATABASE_URL'] !== undefined;
    const database = hasDatabase ? undefined : await copyTemplateDatabase(prepareTemplate);
    const url = database && { DATABASE_URL: database.url };
    const settings = readSettings({ ...TEST_SETTINGS, ...url, ...environment });
    try {
      const server = new TestServer(await createApplication(settings, controllers), settings, database);
      await server.listen(environment['PORT'] ?? 0);
      return server;
    } catch (error) {
      await database?.drop();
      throw error;
    }
  }

  /** Closes the application and drops its own database. */
  async stop(): Promise<void> {
    this.unregister();
    await this.app.close().finally(() => this.database?.drop());
  }

  /** Returns a provider of the application. */
  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** The connection that the service reads with, for assertions on stored rows. */
  get entityManager(): EntityManager {
    return this.app.get(DataSource).manager;
  }

  /** Sends a request. A response that the OpenAPI document does not describe is an error. */
  async request(method: string, path: string, options?: RequestOptions): Promise<TestResponse> {
    const response = await sendRequest(this.url, method, path, options);
    const routes = (): DeclaredRoute[] => this.app.get(RouteRegistryService).list();
    assertDocumented({ routes, settings: this.settings }, method, path, response);
    return response;
  }

  private async listen(port: string | number): Promise<void> {
    try {
      configureApp(this.app, this.settings);
      await this.app.listen(port, '127.0.0.1');
      this.url = await this.app.getUrl();
    } catch (error) {
      this.unregister();
      await this.app.close();
      throw error;
    }
  }
}

async function createApplication(settings: Settings, controllers: Type[]): Promise<NestExpressApplication> {
  const module = await Test.createTestingModule({ imports: [AppModule], controllers })
    .overrideProvider(Settings)
    .useValue(settings)
    .compile();
  return module.createNestApplication<NestExpressApplication>(new GracefulExpressAdapter(), {
    ...APP_OPTIONS,
    logger: false,
  });
}

/** Starts and closes an application, which migrates the database and creates its signing keys. */
async function prepareTemplate(url: string): Promise<void> {
  const app = await createApplication(readSettings({ ...TEST_SETTINGS, DATABASE_URL: url }), []);
  await app.init();
  await app.close();
}

/** Sends a request to a process of the service. */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: RequestOptions = {},
): Promise<TestResponse> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Fetches every page of a list. @param get fetches one page, without a cursor the first one */
export async function fetchAllPages(get: (cursor?: string) => Promise<TestResponse>): Promise<ResponseBody[]> {
  const items: ResponseBody[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { status, body } = await get(cursor);
    if (status !== 200) throw new Error(`A page failed with ${status}: ${JSON.stringify(body)}`);
    items.push(...(body.data as ResponseBody[]));
    cursor = body.page.nextCursor as string | null;
  }
  return items;
}
