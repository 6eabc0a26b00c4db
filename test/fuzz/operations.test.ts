import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { demoId } from '../../src/demo/demo-id.js';
import { DemoService } from '../../src/demo/demo.service.js';
import type { Scope } from '../../src/scopes/catalogue.js';
import { ALL_SCOPES, newTokens } from '../support/factories.js';
import { type Operation, Reference } from '../support/reference.js';
import { type Answer, Service } from '../support/service.js';
import { send } from './send.js';
import { Requests, type Sent } from './requests.js';

/** `FUZZ_RUNS=1000` looks longer, `FUZZ_SEED=1` elsewhere; with the same seed the same is sent. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261122);

const service = await Service.start();
const demo = (await service.get(DemoService).load())!;
const reference = await Reference.of(service);
const [wallWalker] = demo.apps;

async function tokensOf(username: string, scopes: readonly Scope[]): ReturnType<typeof newTokens> {
  const account = (await service.get(AccountsService).find(username))!;
  const app = (await service.get(AppsService).find(wallWalker!.client_id))!;
  return newTokens(service, { app, account, scopes: [...scopes] });
}

async function tokenOf(username: string, scopes: readonly Scope[]): Promise<string> {
  return (await tokensOf(username, scopes)).access_token;
}

const several = (prefix: 'mrk' | 'art' | 'col' | 'edt', ...numbers: number[]): string[] =>
  numbers.map((number) => demoId(prefix, number));
const markers = several('mrk', 1, 10, 15, 60);
const artists = several('art', 1, 4, 18);
const edits = several('edt', 1, 5, 8, 9, 10, 13, 14, 16, 17);
const refreshTokens: string[] = [];
for (let count = 0; count < 20; count++) refreshTokens.push((await tokensOf('mila', ['openid'])).refresh_token);
const collections = several('col', 1, 2, 3, 4);
for (let count = 0; count < 40; count++) {
  const body = { name: `Doors ${count}`, visibility: count % 2 === 0 ? 'public' : 'private' };
  const token = await tokenOf('mila', ['collections:write']);
  collections.push((await service.call('POST', '/api/collections', { token, body })).body.id as string);
}
const requests = new Requests(reference, {
  collectionId: collections,
  markerId: markers,
  targetId: [...markers, ...artists],
  editId: edits,
  supersedes: edits,
  client_id: [wallWalker!.client_id],
  client_secret: [wallWalker!.client_secret],
  refresh_token: refreshTokens,
  token: refreshTokens.slice(0, 5),
});

/** Who asks: nobody, an app that may not, a member, a moderator. */
const tokens = {
  none: undefined,
  wrong: await tokenOf('mila', ['email']),
  member: await tokenOf('mila', ALL_SCOPES),
  moderator: await tokenOf('ines', ALL_SCOPES),
};
type Who = keyof typeof tokens;

const anybody = fc.constantFrom<Who>('none', 'wrong', 'member', 'member', 'moderator', 'moderator');

async function ask(sent: Sent, who: Who): Promise<Answer> {
  const token = tokens[who];
  return send(service.url, token === undefined ? sent : withToken(sent, token));
}

function withToken(sent: Sent, token: string): Sent {
  return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${token}` } };
}

/** The operations that did what they are for. */
const succeeded = new Set<Operation>();

/** What must hold of every answer, whatever was asked. */
function check(operation: Operation, who: Who, answer: Answer): void {
  const { status } = answer;
  if (status < 400) succeeded.add(operation);
  expect({ status, body: status < 500 ? undefined : answer.body }).toEqual({ status, body: undefined });
  expect({ undocumented: reference.undocumented(operation, answer), body: answer.body }).toEqual({
    undocumented: [],
    body: answer.body,
  });
  const isGuarded = operation.told.security[0]?.oauth2 !== undefined;
  if (isGuarded && who === 'none') expect([400, 401]).toContain(status);
  if (isGuarded && who === 'wrong') expect([400, 403]).toContain(status);
}

describe(`Whatever is asked, with the seed ${SEED},`, () => {
  afterAll(() => service.stop());
  const all = reference.operations.map((operation) => [operation.told.operationId as string, operation] as const);
  const options = { seed: SEED, numRuns: RUNS, endOnFailure: true };

  it.each(all)('%s answers as documented to what fits its schemas', async (_, operation) => {
    const property = fc.asyncProperty(requests.fit(operation), anybody, async (sent, who) =>
      check(operation, who, await ask(sent, who)),
    );
    await fc.assert(property, options);
  });

  it.each(all)('%s answers as documented to what does not', async (_, operation) => {
    const property = fc.asyncProperty(requests.strange(operation), anybody, async (sent, who) =>
      check(operation, who, await ask(sent, who)),
    );
    await fc.assert(property, { ...options, numRuns: 2 * RUNS });
  });

  it('hardly an operation is never brought to do what it is for', () => {
    const never = all.filter(([, operation]) => !succeeded.has(operation)).map(([id]) => id);
    expect({ never, hardly: never.length <= 3 }).toEqual({ never, hardly: true });
  });
});
