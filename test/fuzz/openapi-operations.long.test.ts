import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildDemoId } from '../../src/app/demo/demo-data.js';
import { DemoServer } from '../support/demo-server.js';
import { ALL_SCOPES } from '../support/factories.js';
import { type Operation } from '../support/openapi-document.js';
import { type TestResponse } from '../support/test-server.js';
import { sendRawRequest } from './send-raw-request.js';
import { RequestArbitraries, type RawRequest } from './request-arbitraries.js';

/**
 * `FUZZ_RUNS=1000` sends more requests, and `FUZZ_SEED=1` sends other ones; a seed repeats its
 * requests.
 */
const RUN_COUNT = Number(process.env['FUZZ_RUNS'] ?? 60);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261122);

const demoServer = await DemoServer.start();
const { server, document: openApiDocument } = demoServer;

const toDemoIds = (prefix: 'mrk' | 'art' | 'col' | 'edt', ...numbers: number[]): string[] =>
  numbers.map((number) => buildDemoId(prefix, number));
const markerIds = toDemoIds('mrk', 1, 10, 15, 60);
const artistIds = toDemoIds('art', 1, 4, 18);
const editIds = toDemoIds('edt', 1, 5, 8, 9, 10, 13, 14, 16, 17);
const refreshTokens: string[] = [];
for (let count = 0; count < 20; count++)
  refreshTokens.push((await demoServer.issueTokens('mila', ['openid'])).refresh_token);
const collectionIds = toDemoIds('col', 1, 2, 3, 4);
for (let count = 0; count < 40; count++) {
  const body = { name: `Doors ${count}`, visibility: count % 2 === 0 ? 'public' : 'private' };
  const token = await demoServer.issueAccessToken('mila', ['collections:write']);
  collectionIds.push((await server.request('POST', '/api/collections', { token, body })).body.id as string);
}
const requestArbitraries = new RequestArbitraries(openApiDocument, {
  collectionId: collectionIds,
  markerId: markerIds,
  targetId: [...markerIds, ...artistIds],
  editId: editIds,
  supersedes: editIds,
  client_id: [demoServer.credentials.client_id],
  client_secret: [demoServer.credentials.client_secret],
  refresh_token: refreshTokens,
  token: refreshTokens.slice(0, 5),
});

/** No token, a token without a scope of the API, a member, and a moderator. */
const callerTokens = {
  none: undefined,
  wrong: await demoServer.issueAccessToken('mila', ['email']),
  member: await demoServer.issueAccessToken('mila', ALL_SCOPES),
  moderator: await demoServer.issueAccessToken('ines', ALL_SCOPES),
};
type CallerKind = keyof typeof callerTokens;

const callerKind = fc.constantFrom<CallerKind>('none', 'wrong', 'member', 'member', 'moderator', 'moderator');

async function sendAs(sent: RawRequest, caller: CallerKind): Promise<TestResponse> {
  const token = callerTokens[caller];
  return sendRawRequest(server.url, token === undefined ? sent : addBearerToken(sent, token));
}

function addBearerToken(sent: RawRequest, token: string): RawRequest {
  return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${token}` } };
}

/** The operations that returned a successful response. */
const succeededOperations = new Set<Operation>();

/** Expects what is true for every response. */
async function expectDocumentedResponse(operation: Operation, caller: CallerKind, sent: RawRequest): Promise<void> {
  const response = await sendAs(sent, caller);
  const { status } = response;
  const hasFields = /[?&]fields=/.test(sent.target);
  if (status < 400) succeededOperations.add(operation);
  expect({ status, body: status < 500 ? undefined : response.body }).toEqual({ status, body: undefined });
  const undocumented = openApiDocument.validateResponse(operation, response, hasFields);
  expect({ undocumented, body: response.body }).toEqual({ undocumented: [], body: response.body });
  const isGuarded = operation.definition.security[0]?.oauth2 !== undefined;
  if (isGuarded && caller === 'none') expect([400, 401]).toContain(status);
  if (isGuarded && caller === 'wrong') expect([400, 403]).toContain(status);
}

describe(`Generated requests, seed ${SEED}`, () => {
  afterAll(() => server.stop());
  const all = openApiDocument.operations.map(
    (operation) => [operation.definition.operationId as string, operation] as const,
  );
  const options = { seed: SEED, numRuns: RUN_COUNT, endOnFailure: true };

  it.each(all)('%s documents its responses to valid requests', async (_, operation) => {
    const property = fc.asyncProperty(requestArbitraries.forValidRequest(operation), callerKind, async (sent, caller) =>
      expectDocumentedResponse(operation, caller, sent),
    );
    await fc.assert(property, options);
  });

  it.each(all)('%s documents its responses to invalid requests', async (_, operation) => {
    const property = fc.asyncProperty(
      requestArbitraries.forInvalidRequest(operation),
      callerKind,
      async (sent, caller) => expectDocumentedResponse(operation, caller, sent),
    );
    await fc.assert(property, { ...options, numRuns: 2 * RUN_COUNT });
  });

  it('bring almost every operation to a successful response', () => {
    const never = all.filter(([, operation]) => !succeededOperations.has(operation)).map(([id]) => id);
    expect({ never, hardly: never.length <= 3 }).toEqual({ never, hardly: true });
  });
});
