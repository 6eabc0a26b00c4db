import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource, type EntityManager } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { APP_OPTIONS, setUp } from '../../src/app.setup.js';
import { readSettings, Settings } from '../../src/config/settings.js';
import { ExpressServer } from '../../src/http/express-server.js';
import { newDatabase } from './database.js';

/** The JSON of an answer, or its text where it is none: a test says what it expects of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Call {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The real application on a real database of its own, listening. */
export class Service {
  private constructor(
    private readonly app: NestExpressApplication,
    readonly settings: Settings,
    readonly url: string,
    private readonly drop: () => Promise<void>,
  ) {}

  /** Listens at `PORT` where the environment has it, else at any that is free. */
  static async start(environment: Record<string, string> = {}, controllers: Type[] = []): Promise<Service> {
    const given = environment['DATABASE_URL'];
    const database = given ? { url: given, drop: () => Promise.resolve() } : await newDatabase();
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
    const app = module.createNestApplication<NestExpressApplication>(new ExpressServer(), {
      ...APP_OPTIONS,
      logger: false,
    });
    try {
      setUp(app, settings);
      await app.listen(environment['PORT'] ?? 0, '127.0.0.1');
      return new Service(app, settings, await app.getUrl(), () => database.drop());
    } catch (error) {
      await app.close();
      await database.drop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.drop();
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** The database as it is read by the service, for looking at what was stored. */
  get database(): EntityManager {
    return this.app.get(DataSource).manager;
  }

  call(method: string, path: string, given?: Call): Promise<Answer> {
    return call(this.url, method, path, given);
  }
}

/** Calls whatever process of the service listens there. */
export async function call(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: Call = {},
): Promise<Answer> {
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
