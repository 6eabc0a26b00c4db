import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { SCOPES } from '../../src/identity/scopes/scopes.js';
import { type DeclaredRoute, RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';

/** Paths of the API; all other paths are pages, assets and operator endpoints. */
const API_PATH_PATTERN = /^\/(api|\.well-known)\//;

/** The only path that the pattern matches and that is no API: a text for people (RFC 9116). */
const TEXT_FOR_PEOPLE = 'GET /.well-known/security.txt';

describe('OpenAPI document', () => {
  let server: TestServer;
  let reference: OpenApiDocument;
  let routes: (DeclaredRoute & { name: string })[];

  beforeAll(async () => {
    server = await TestServer.start();
    reference = await OpenApiDocument.load(server);
    routes = server
      .get(RouteRegistryService)
      .list()
      // `ALL` rejects other methods.
      .filter(({ method, path }) => API_PATH_PATTERN.test(path) && method !== 'ALL')
      .map((route) => ({ ...route, name: `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}` }));
  });
  afterAll(() => server.stop());

  const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
  const fetchResponses = ({
    pointer,
    definition,
  }: OpenApiDocument['operations'][number]): [status: string, answer: ResponseBody][] =>
    Object.keys(definition.responses).map((status) => [
      status,
      reference.resolvePointer(`${pointer}/responses/${status}`).value,
    ]);

  it('is OpenAPI 3.1 with the version of the package, and can be cached publicly', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(reference.document).toMatchObject({ openapi: '3.1.1', info: { title: 'Street Art Map', version } });
    const { headers } = await server.request('GET', '/api/openapi.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toMatch(/^public, max-age=/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('has every route of the API, and no other', () => {
    const described = [...reference.operations.map(nameOf), TEXT_FOR_PEOPLE];
    expect(described.sort()).toEqual(routes.map(({ name }) => name).sort());
    expect(routes.length).toBeGreaterThan(30);
  });

  it('requires the scope that the route declares', () => {
    for (const operation of reference.operations) {
      const name = nameOf(operation);
      const { scope, public: use } = routes.find((route) => route.name === name)!;
      const { security } = operation.definition;
      const request = security.flatMap((one: ResponseBody) => one.oauth2 ?? []);
      if (scope) expect({ name, security }).toEqual({ name, security: [{ oauth2: [scope] }] });
      else if (use === 'optional-token') expect({ name, first: security[0] }).toEqual({ name, first: {} });
      else expect({ name, asked: request }).toEqual({ name, asked: [] });
    }
    expect(reference.findOperation('getCollection').definition.security).toEqual([
      {},
      { oauth2: ['collections:read'] },
    ]);
    expect(reference.findOperation('issueTokens').definition.security).toEqual([{ appCredentials: [] }, {}]);
  });

  it('has the scopes of the catalog with their sentences', () => {
    const { oauth2, appCredentials } = reference.document.components.securitySchemes;
    expect(oauth2.flows.authorizationCode).toEqual({
      authorizationUrl: 'https://map.example.org/api/oauth/authorize',
      tokenUrl: 'https://map.example.org/api/oauth/token',
      refreshUrl: 'https://map.example.org/api/oauth/token',
      scopes: SCOPES,
    });
    expect(appCredentials).toMatchObject({ type: 'http', scheme: 'basic' });
  });

  it('has a unique operationId, a summary and a described tag for each operation', () => {
    const tags = new Set(reference.document.tags.map(({ name }: ResponseBody) => name as string));
    for (const { definition } of reference.operations) {
      expect(definition.summary).toMatch(/^\S.{5,}/);
      expect(tags).toContain(definition.tags[0]);
    }
    for (const { name, description } of reference.document.tags)
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\.$/) });
    const ids = reference.operations.map(({ definition }) => definition.operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes each parameter and each body field', () => {
    for (const { definition, pointer } of reference.operations) {
      for (const { name, description } of definition.parameters ?? [])
        expect({ name, description }).toEqual({ name, description: expect.any(String) });
      for (const { name, required, schema } of definition.parameters ?? [])
        if (required) expect({ name, example: schema.example }).toEqual({ name, example: expect.anything() });
      for (const type of Object.keys(definition.requestBody?.content ?? {})) {
        const schema = `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`;
        for (const [name, field] of Object.entries<ResponseBody>(reference.resolvePointer(schema).value.properties))
          expect({ pointer, name, description: field.description }).toEqual({
            pointer,
            name,
            description: expect.any(String),
          });
      }
    }
  });

  it('has an example of each error and each response', () => {
    for (const operation of reference.operations) {
      const errors = fetchResponses(operation).filter(([status]) => status >= '400');
      expect({ id: operation.definition.operationId, errors: errors.length > 0 }).toMatchObject({ errors: true });
      for (const [status, { description, content }] of fetchResponses(operation)) {
        expect(description).toMatch(/\.$/);
        if (['204', '303', '304'].includes(status)) expect(content).toBeUndefined();
        else
          for (const media of Object.values<ResponseBody>(content))
            expect(media.example ?? media.examples).toBeDefined();
      }
    }
  });

  it('has examples that match their schemas', () => {
    const wrong: string[] = [];
    const check = (pointer: string, { example, examples = {} }: ResponseBody): void => {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values<ResponseBody>(examples).map((one) => one.value),
      ];
      for (const value of values) {
        const problems = reference.validateValue(reference.resolvePointer(`${pointer}/schema`).pointer, value);
        wrong.push(...problems.map((problem) => `${pointer}: ${problem}`));
      }
    };
    const expectAll = (pointer: string, content: ResponseBody = {}): void => {
      for (const [type, media] of Object.entries<ResponseBody>(content))
        check(`${pointer}/content/${type.replaceAll('/', '~1')}`, media);
    };
    for (const operation of reference.operations) {
      for (const at of (operation.definition.parameters ?? []).keys()) {
        const pointer = `${operation.pointer}/parameters/${at}`;
        check(pointer, reference.resolvePointer(pointer).value);
        check(pointer, { example: reference.resolvePointer(`${pointer}/schema`).value.example });
      }
      expectAll(`${operation.pointer}/requestBody`, operation.definition.requestBody?.content);
      for (const status of Object.keys(operation.definition.responses)) {
        const { pointer, value } = reference.resolvePointer(`${operation.pointer}/responses/${status}`);
        expectAll(pointer, value.content);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('documents 401 and the missing scope for each protected operation', () => {
    for (const operation of reference.operations) {
      const [scope] = operation.definition.security.flatMap((one: ResponseBody) => one.oauth2 ?? []) as string[];
      if (!scope) continue;
      const responses = Object.fromEntries(fetchResponses(operation));
      expect(responses['401'].headers['WWW-Authenticate']).toBeDefined();
      expect(Object.keys(responses['401'].content['application/json'].examples)).toEqual(
        expect.arrayContaining(['token_expired', 'token_invalid']),
      );
      if (operation.definition.operationId === 'getCollection') continue;
      expect(responses['403'].content['application/json'].examples.missing_scope.value).toEqual({
        error: `This app needs the ${scope} scope to do that.`,
      });
      expect(responses['403'].headers['X-Accepted-OAuth-Scopes']).toBeDefined();
    }
  });

  it('has the limits of the validation rules', () => {
    const parameter = (id: string, name: string): ResponseBody =>
      reference.findOperation(id).definition.parameters.find((one: ResponseBody) => one.name === name);
    expect(parameter('listMarkers', 'limit').schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 500,
      default: 100,
    });
    expect(parameter('listMarkers', 'kind')).toMatchObject({
      required: false,
      explode: false,
      schema: { type: 'array', maxItems: 20, items: { enum: ['artwork', 'place'] } },
    });
    expect(parameter('changeCollection', 'If-Match')).toMatchObject({ in: 'header', required: false });
    const { CreateCollectionRequest, RejectEditRequest, AddCollectionItemsRequest, SuggestEditRequest } =
      reference.document.components.schemas;
    expect(CreateCollectionRequest).toMatchObject({
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        description: { type: ['string', 'null'], maxLength: 2000 },
        visibility: { enum: ['private', 'public'] },
      },
    });
    expect(RejectEditRequest).toMatchObject({
      required: ['comment'],
      properties: { comment: { minLength: 3, maxLength: 1000 } },
    });
    expect(AddCollectionItemsRequest.properties.items).toMatchObject({ minItems: 1, maxItems: 100 });
    expect(SuggestEditRequest.properties.changes.anyOf).toHaveLength(2);
  });

  it('uses no keyword that OpenAPI 3.1 removed', () => {
    const text = JSON.stringify(reference.document);
    expect(text).not.toContain('"nullable"');
    expect(text).not.toMatch(/"exclusiveM\w+":(true|false)/);
  });

  it('has no unresolved reference, and no unused component', () => {
    const text = JSON.stringify(reference.document);
    const referred = new Set([...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer!));
    for (const pointer of referred)
      expect({ pointer, value: reference.resolvePointer(pointer).value }).toMatchObject({ value: {} });
    for (const kind of ['schemas', 'responses', 'headers'])
      for (const name of Object.keys(reference.document.components[kind]))
        expect(referred).toContain(`/components/${kind}/${name}`);
  });

  it('is served below BASE_URL, also with a path', async () => {
    expect(reference.document.servers).toEqual([{ url: 'https://map.example.org' }]);
    const below = await TestServer.start({ BASE_URL: 'https://example.org/map' });
    try {
      const { status, body } = await below.request('GET', '/map/api/openapi.json');
      expect({ status, servers: body.servers }).toEqual({ status: 200, servers: [{ url: 'https://example.org/map' }] });
      expect(Object.keys(body.paths)).toEqual(Object.keys(reference.document.paths));
      expect(body.components.securitySchemes.oauth2.flows.authorizationCode.tokenUrl).toBe(
        'https://example.org/map/api/oauth/token',
      );
      const { body: page } = await below.request('GET', '/map/docs');
      expect(page).toContain('src="/map/docs/assets/reference.js"');
      expect(page).toContain('href="/map/api/openapi.json"');
      expect(page).toContain('data-redirect="https://example.org/map/docs/oauth2-redirect.html"');
    } finally {
      await below.stop();
    }
  });
});
