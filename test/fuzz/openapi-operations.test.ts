import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { AppsStore } from '../../src/identity/clients/apps.store.js';
import { buildDemoId } from '../../src/app/demo/demo-id.js';
import { DemoService } from '../../src/app/demo/demo.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { ALL_SCOPES, issueTokens } from '../support/factories.js';
import { type Operation, OpenApiDocument } from '../support/openapi-document.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { sendRawRequest } from './send-raw-request.js';
import { RequestArbitraries, type RawRequest } from './request-arbitraries.js';

/** `FUZZ_RUNS=1000` looks longer, `FUZZ_SEED=1` elsewhere; with the same seed the same is sent. */
const RUN_COUNT = Number(process.env['FUZZ_RUNS'] ?? 60);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261122);

const server = await TestServer.start();
const demo = (await server.get(DemoService).load())!;
const openApiDocument = await OpenApiDocument.load(server);
const [wallWalker] = demo.apps;

async function issueTokensFor(username: string, scopes: readonly Scope[]): ReturnType<typeof issueTokens> {
  const account = (await server.get(AccountsStore).findByLogin(username))!;
  const app = (await server.get(AppsStore).find(wallWalker!.client_id))!;
  return issueTokens(server, { app, account, scopes: [...scopes] });
}

async function issueAccessTokenFor(username: string, scopes: readonly Scope[]): Promise<string> {
  return (await issueTokensFor(username, scopes)).access_token;
}

const toDemoIds = (prefix: 'mrk' | 'art' | 'col' | 'edt', ...numbers: number[]): string[] =>
  numbers.map((number) => buildDemoId(prefix, number));
const markerIds = toDemoIds('mrk', 1, 10, 15, 60);
const artistIds = toDemoIds('art', 1, 4, 18);
const editIds = toDemoIds('edt', 1, 5, 8, 9, 10, 13, 14, 16, 17);
const refreshTokens: string[] = [];
for (let count = 0; count < 20; count++) refreshTokens.push((await issueTokensFor('mila', ['openid'])).refresh_token);
const collectionIds = toDemoIds('col', 1, 2, 3, 4);
for (let count = 0; count < 40; count++) {
  const body = { name: `Doors ${count}`, visibility: count % 2 === 0 ? 'public' : 'private' };
  const token = await issueAccessTokenFor('mila', ['collections:write']);
  collectionIds.push((await server.request('POST', '/api/collections', { token, body })).body.id as string);
}
const requestArbitraries = new RequestArbitraries(openApiDocument, {
  collectionId: collectionIds,
  markerId: markerIds,
  targetId: [...markerIds, ...artistIds],
  editId: editIds,
  supersedes: editIds,
  client_id: [wallWalker!.client_id],
  client_secret: [wallWalker!.client_secret],
  refresh_token: refreshTokens,
  token: refreshTokens.slice(0, 5),
});

/** Who asks: nobody, an app that may not, a member, a moderator. */
const callerTokens = {
  none: undefined,
  wrong: await issueAccessTokenFor('mila', ['email']),
  member: await issueAccessTokenFor('mila', ALL_SCOPES),
  moderator: await issueAccessTokenFor('ines', ALL_SCOPES),
};
type CallerKind = keyof typeof callerTokens;

const callerKind = fc.constantFrom<CallerKind>('none', 'wrong', 'member', 'member', 'moderator', 'moderator');

async function sendAs(sent: RawRequest, who: CallerKind): Promise<TestResponse> {
  const token = callerTokens[who];
  return sendRawRequest(server.url, token === undefined ? sent : addBearerToken(sent, token));
}

function addBearerToken(sent: RawRequest, token: string): RawRequest {
  return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${token}` } };
}

/** The operations that did what they are for. */
const succeededOperations = new Set<Operation>();

/** What must hold of every answer, whatever was asked. */
function expectDocumentedResponse(operation: Operation, who: CallerKind, answer: TestResponse): void {
  const { status } = answer;
  if (status < 400) succeededOperations.add(operation);
  expect({ status, body: status < 500 ? undefined : answer.body }).toEqual({ status, body: undefined });
  expect({ undocumented: openApiDocument.validateResponse(operation, answer), body: answer.body }).toEqual({
    undocumented: [],
    body: answer.body,
  });
  const isGuarded = operation.definition.security[0]?.oauth2 !== undefined;
  if (isGuarded && who === 'none') expect([400, 401]).toContain(status);
  if (isGuarded && who === 'wrong') expect([400, 403]).toContain(status);
}

describe(`Whatever is asked, with the seed ${SEED},`, () => {
  afterAll(() => server.stop());
  const all = openApiDocument.operations.map(
    (operation) => [operation.definition.operationId as string, operation] as const,
  );
  const options = { seed: SEED, numRuns: RUN_COUNT, endOnFailure: true };

  it.each(all)('%s answers as documented to what fits its schemas', async (_, operation) => {
    const property = fc.asyncProperty(requestArbitraries.forValidRequest(operation), callerKind, async (sent, who) =>
      expectDocumentedResponse(operation, who, await sendAs(sent, who)),
    );
    await fc.assert(property, options);
  });

  it.each(all)('%s answers as documented to what does not', async (_, operation) => {
    const property = fc.asyncProperty(requestArbitraries.forInvalidRequest(operation), callerKind, async (sent, who) =>
      expectDocumentedResponse(operation, who, await sendAs(sent, who)),
    );
    await fc.assert(property, { ...options, numRuns: 2 * RUN_COUNT });
  });

  it('hardly an operation is never brought to do what it is for', () => {
    const never = all.filter(([, operation]) => !succeededOperations.has(operation)).map(([id]) => id);
    expect({ never, hardly: never.length <= 3 }).toEqual({ never, hardly: true });
  });
});
