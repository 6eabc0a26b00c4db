import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource, type EntityManager } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { APP_OPTIONS, configureApp } from '../../src/app.setup.js';
import { readSettings, Settings } from '../../src/platform/config/settings.js';
import { GracefulExpressAdapter } from '../../src/platform/http/graceful-express.adapter.js';
import { createDatabase } from './database.js';

/** The JSON of an answer, or its text where it is none: a test says what it expects of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ResponseBody = any;

export interface TestResponse {
  status: number;
  headers: Headers;
  body: ResponseBody;
}

export interface RequestOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The real application on a real database of its own, listening. */
export class TestServer {
  private constructor(
    private readonly app: NestExpressApplication,
    readonly settings: Settings,
    readonly url: string,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  /** Listens at `PORT` where the environment has it, else at any that is free. */
  static async start(environment: Record<string, string> = {}, controllers: Type[] = []): Promise<TestServer> {
    const given = environment['DATABASE_URL'];
    const database = given ? { url: given, drop: () => Promise.resolve() } : await createDatabase();
    const settings = readSettings({
      DATABASE_URL: database.url,
      MASTER_SECRET: 'a secret of the tests, and of them alone',
      BASE_URL: 'https://map.example.org',
      RATE_LIMITS: 'off',
      ...environment,
    });
    const module = await Test.createTestingModule({ imports: [AppModule], controllers })
      .overrideProvider(Settings)
      .useValue(settings)
      .compile();
    const app = module.createNestApplication<NestExpressApplication>(new GracefulExpressAdapter(), {
      ...APP_OPTIONS,
      logger: false,
    });
    try {
      configureApp(app, settings);
      await app.listen(environment['PORT'] ?? 0, '127.0.0.1');
      return new TestServer(app, settings, await app.getUrl(), () => database.drop());
    } catch (error) {
      await app.close();
      await database.drop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.dropDatabase();
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** The database as it is read by the service, for looking at what was stored. */
  get entityManager(): EntityManager {
    return this.app.get(DataSource).manager;
  }

  request(method: string, path: string, given?: RequestOptions): Promise<TestResponse> {
    return sendRequest(this.url, method, path, given);
  }
}

/** Calls whatever process of the service listens there. */
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
