import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { ConsentsService } from '../../src/identity/oauth/consents/consents.service.js';
import { parseIdempotencyKey } from '../../src/identity/oauth/refresh-replay.store.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from '../../src/identity/oauth/refresh-token-validity.js';
import { RefreshTokenService } from '../../src/identity/oauth/refresh-token.service.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS, setClock } from '../support/fake-clock.js';
import { TEST_SEED } from '../support/seeded-random.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import {
  createChain,
  type ExpectedResponse,
  findUndoable,
  isExpectedResponse,
  permute,
  refreshInModel,
  revokeInModel,
  type TokenChain,
  undoInModel,
} from '../support/token-chain-model.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';

const RUN_COUNT = 20;
const COMMAND_COUNT = 20;
const SCOPES: Scope[] = ['profile', 'markers:read'];

/** The real chain. */
interface Chain {
  server: TestServer;
  app: TestApp;
  account: Account;
  /** The texts of all refresh tokens, in the order in which they were received. */
  texts: string[];
}

/**
 * All states of the chain that agree with the responses so far: parallel operations have several.
 */
interface Model {
  chains: TokenChain[];
}

/** An operation, and its effect in the model. */
interface Operation {
  name: string;
  run: (chain: Chain) => Promise<TestResponse | undefined>;
  /**
   * @param allowedScopes the scopes of the consent that a refresh read
   * @returns the expected response, if there is one
   */
  apply: (
    chain: TokenChain,
    response: TestResponse | undefined,
    allowedScopes: string[],
  ) => ExpectedResponse | undefined;
}

function refresh(index: number, key: string | undefined): Operation {
  let token: string;
  return {
    name: `refresh(${index}, ${key})`,
    run: ({ server, app, texts }) => {
      token = texts.at(-1 - (index % texts.length))!;
      return refreshTokens(server, app, token, {}, key === undefined ? {} : { 'Idempotency-Key': key });
    },
    apply: (chain, response, allowedScopes) => {
      const next = (response!.body.refresh_token as string | undefined) ?? 'none';
      return refreshInModel(chain, { token, key, next, now: Date.now(), allowedScopes });
    },
  };
}

function revoke(index: number): Operation {
  let token: string;
  return {
    name: `revoke(${index})`,
    run: ({ server, app, texts }) => revokeToken(server, app, (token = texts.at(-1 - (index % texts.length))!)),
    apply: (chain) => revokeInModel(chain, token),
  };
}

/** Changes the state of the account, the app or the consent, without a response. */
function change(name: string, run: (chain: Chain) => Promise<unknown>, changes: Partial<TokenChain>): Operation {
  return {
    name,
    run: async (chain) => {
      await run(chain);
      return undefined;
    },
    apply: (chain) => {
      Object.assign(chain, changes);
      return undefined;
    },
  };
}

const allow = (scopes: Scope[]): Operation =>
  change(
    `allow(${scopes.join(' ')})`,
    ({ server, app, account }) =>
      server.get(TransactionService).run(async (tx) => {
        await server.get(AccountsStore).findForUpdate(tx, account.id);
        const key = { accountId: account.id, appId: app.app.id };
        return server.get(ConsentsService).recordDecision(tx, key, SCOPES, scopes);
      }),
    { allowedScopes: scopes },
  );

const CHANGES = [
  change('block', ({ server, account }) => server.get(AccountsService).block(account.username, 'A test.'), {
    isBlocked: true,
  }),
  change('unblock', ({ server, account }) => server.get(AccountsService).unblock(account.username), {
    isBlocked: false,
  }),
  change('disable', ({ server, app }) => server.get(AppsService).disable(app.app.id), { isDisabled: true }),
  change('enable', ({ server, app }) => server.get(AppsService).enable(app.app.id), { isDisabled: false }),
  allow([]),
  allow(['profile']),
  allow(SCOPES),
  allow(SCOPES),
];

/** Sends operations at the same time. The responses must be those of some order of them. */
class RunTogether implements fc.AsyncCommand<Model, Chain> {
  private readonly operations: Operation[];

  /** @param delayed each operation, and the milliseconds after which it starts */
  constructor(private readonly delayed: [operation: Operation, delayMs: number][]) {
    this.operations = delayed.map(([one]) => one);
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, chain: Chain): Promise<void> {
    const responses = await Promise.all(
      this.delayed.map(async ([one, delayMs]) => {
        if (delayMs > 0) await sleep(delayMs);
        return one.run(chain);
      }),
    );
    const orders = permute(this.operations.map((_, index) => index));
    const next = model.chains.flatMap((state) => orders.flatMap((order) => this.replay(state, order, responses)));
    const received = responses.flatMap((response) => (response?.body.refresh_token as string | undefined) ?? []);
    chain.texts.push(...new Set(received.filter((text) => !chain.texts.includes(text))));
    if (next.length === 0) throw new Error(describeMismatch(this, model, responses));
    model.chains = [...new Map(next.map((state) => [JSON.stringify(state), state])).values()];
  }

  toString(): string {
    return this.delayed.map(([{ name }, delayMs]) => `${name} after ${delayMs} ms`).join(' with ');
  }

  /** @returns the state after the operations in an order, if it agrees with the responses */
  private replay(before: TokenChain, order: number[], responses: (TestResponse | undefined)[]): TokenChain[] {
    // Two reuses at the same time may both end the chain, so their descriptions differ.
    const reasons = order.length === 1 ? REFRESH_TOKEN_REJECTION_MESSAGES : undefined;
    let chain = before;
    for (const index of order) {
      // A rotation that read the consent before a change may commit after it.
      const next = [chain.allowedScopes, before.allowedScopes].flatMap((allowedScopes) => {
        const after = structuredClone(chain);
        const expected = this.operations[index]!.apply(after, responses[index], allowedScopes);
        return !expected || isExpectedResponse(expected, responses[index]!, reasons) ? [after] : [];
      });
      if (next.length === 0) return [];
      chain = next[0]!;
    }
    return [chain];
  }
}

/** Undoes the last rotation, as after a commit whose response was not sent. */
class Undo implements fc.AsyncCommand<Model, Chain> {
  check(): boolean {
    return true;
  }

  async run(model: Model, { server, app }: Chain): Promise<void> {
    const now = Date.now();
    const undoable = model.chains.map((chain) => findUndoable(chain, now));
    const [token] = undoable;
    if (token === undefined || undoable.some((other) => other !== token)) return;
    const { successor, replay } = model.chains[0]!.tokens[token]!;
    const key = parseIdempotencyKey(app.app, { refresh_token: token }, replay?.key);
    await server.get(RefreshTokenService).undoRotation(token, computeDigest(successor!), key);
    for (const chain of model.chains) undoInModel(chain, token, now);
  }

  toString(): string {
    return 'undo';
  }
}

class MoveClock implements fc.AsyncCommand<Model, Chain> {
  constructor(private readonly milliseconds: number) {}

  check(): boolean {
    return true;
  }

  async run(): Promise<void> {
    advanceClock(this.milliseconds);
    return Promise.resolve();
  }

  toString(): string {
    return `wait(${this.milliseconds / SECOND_MS} s)`;
  }
}

/** The newest token and the one before it are the most interesting ones. */
const tokenIndex = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 0, 1) }, fc.nat(9));
const idempotencyKey = fc.constantFrom(undefined, undefined, 'first-key-of-the-client', 'second-key-of-the-client');
const refreshArbitrary = fc.tuple(tokenIndex, idempotencyKey).map(([index, key]) => refresh(index, key));
const operation = fc.oneof(
  { weight: 12, arbitrary: refreshArbitrary },
  { weight: 1, arbitrary: tokenIndex.map(revoke) },
  { weight: 6, arbitrary: fc.constantFrom(...CHANGES) },
);
const single = operation.map((one) => new RunTogether([[one, 0]]));
const several = fc
  .array(fc.tuple(operation, fc.nat(4)), { minLength: 2, maxLength: 4 })
  .map((delayed) => new RunTogether(delayed));
// A longer time than one second, and shorter than ten minutes, would let PostgreSQL wait for an
// undo.
const others = [
  fc.constant(new Undo()),
  fc.constantFrom(SECOND_MS, SECOND_MS, 660 * SECOND_MS, 31 * DAY_MS).map((time) => new MoveClock(time)),
];

describe(`A chain of refresh tokens in random states (TEST_SEED=${TEST_SEED})`, () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const startChain = async (clientType: 'confidential' | 'public'): Promise<{ model: Model; real: Chain }> => {
    const [app, account] = [await registerApp(server, { clientType }), await createAccount(server)];
    const key = { accountId: account.id, appId: app.app.id };
    const consentedAt = new Date();
    const authorization = { account, app: app.app, scopes: SCOPES, authTime: consentedAt, consentedAt };
    const { refreshToken } = await server.get(TransactionService).run(async (tx) => {
      await server.get(ConsentsService).recordDecision(tx, key, SCOPES, SCOPES);
      return server.get(TokenIssuanceService).createAuthorization(tx, authorization);
    });
    const chain = createChain(refreshToken, SCOPES, clientType === 'public', Date.now());
    return { model: { chains: [chain] }, real: { server, app, account, texts: [refreshToken] } };
  };

  const check = async (
    clientType: 'confidential' | 'public',
    commands: fc.Arbitrary<fc.AsyncCommand<Model, Chain>>[],
  ): Promise<void> => {
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: COMMAND_COUNT }), async (generated) => {
      restoreClock();
      setClock(Date.now());
      const started = await startChain(clientType);
      await fc.asyncModelRun(() => started, generated);
    });
    // Shrinking takes minutes: the first counterexample is short enough to read.
    await fc.assert(property, { seed: TEST_SEED, numRuns: RUN_COUNT, endOnFailure: true });
  };

  it.each(['confidential', 'public'] as const)(
    'answers each request of a %s app as the model does',
    async (clientType) => {
      await check(clientType, [single, single, single, single, ...others]);
    },
  );

  it.each(['confidential', 'public'] as const)(
    'answers concurrent requests of a %s app as the model does in some order',
    async (clientType) => {
      await check(clientType, [single, several, several, ...others]);
    },
  );
});

function describeMismatch(command: RunTogether, { chains }: Model, responses: (TestResponse | undefined)[]): string {
  const received = responses.map((response) => response && { status: response.status, body: response.body as unknown });
  return `${command.toString()} is not in the model: ${JSON.stringify({ received, chains }, undefined, 1)}`;
}
