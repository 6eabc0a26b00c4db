import type { TestResponse } from './test-server.js';

/**
 * Times in milliseconds: of an idempotent replay, of the leeway of a reuse, of an undo, and of
 * a refresh token.
 */
const REPLAY_MS = 60_000;
const LEEWAY_MS = 10_000;
const UNDO_MS = 600_000;
const LIFETIME_MS = 30 * 24 * 3600_000;

interface TokenState {
  issuedAt: number;
  /** The text of the token that replaced it. */
  successor?: string;
  /** The stored response: its idempotency key, its scopes and its end. */
  replay?: { key: string; scopes: string[]; until: number };
}

/** A chain of refresh tokens as the specification describes it. */
export interface TokenChain {
  tokens: Record<string, TokenState>;
  allowedScopes: string[];
  isRevoked: boolean;
  isBlocked: boolean;
  isDisabled: boolean;
  /** Whether a reuse ends the chain (RFC 9700 §4.14.2). */
  endsOnReuse: boolean;
}

/** The response that the model expects. `reason` is the rejection of the refresh token. */
export interface ExpectedResponse {
  status: number;
  error?: string;
  reason?: string;
  refreshToken?: string;
  scopes?: string[];
}

/** Creates the chain of a first token. */
export function createChain(token: string, allowedScopes: string[], endsOnReuse: boolean, now: number): TokenChain {
  const states = { isRevoked: false, isBlocked: false, isDisabled: false };
  return { tokens: { [token]: { issuedAt: now } }, allowedScopes, ...states, endsOnReuse };
}

interface RefreshInModel {
  token: string;
  key?: string | undefined;
  /** The text of the new token, if one is issued. */
  next: string;
  now: number;
  /** The scopes of the consent that the refresh read. */
  allowedScopes: string[];
}

/** Refreshes a token in the model. */
export function refreshInModel(
  chain: TokenChain,
  { token, key, next, now, allowedScopes }: RefreshInModel,
): ExpectedResponse {
  const state = chain.tokens[token];
  const successor = state?.successor === undefined ? undefined : chain.tokens[state.successor];
  if (chain.isDisabled) return { status: 401, error: 'invalid_client' };
  if (!state) return reject('unknown');
  if (chain.isRevoked) return reject('revoked');
  if (successor) {
    const { replay } = state;
    if (replay && replay.key === key && now < replay.until && !successor.successor && !isExpired(successor, now)) {
      if (chain.isBlocked) return reject('account_blocked');
      if (allowedScopes.length === 0) return reject('scopes_withdrawn');
      const isAllowed = replay.scopes.every((scope) => allowedScopes.includes(scope));
      const scopes = isAllowed ? replay.scopes : allowedScopes;
      return { status: 200, refreshToken: state.successor!, scopes };
    }
    if (!chain.endsOnReuse || (!successor.successor && now < successor.issuedAt + LEEWAY_MS)) return reject('used');
    chain.isRevoked = true;
    return reject('reused');
  }
  if (isExpired(state, now)) return reject('expired');
  if (chain.isBlocked) return reject('account_blocked');
  if (allowedScopes.length === 0) return reject('scopes_withdrawn');
  state.successor = next;
  if (key !== undefined) state.replay = { key, scopes: allowedScopes, until: now + REPLAY_MS };
  chain.tokens[next] = { issuedAt: now };
  return { status: 200, refreshToken: next, scopes: allowedScopes };
}

/** Revokes a token in the model. The response is the same for an unknown token. */
export function revokeInModel(chain: TokenChain, token: string): ExpectedResponse {
  if (chain.isDisabled) return { status: 401, error: 'invalid_client' };
  if (chain.tokens[token]) chain.isRevoked = true;
  return { status: 200 };
}

/** Undoes a rotation: keeps a stored response for a minute, otherwise deletes the successor. */
export function undoInModel(chain: TokenChain, token: string, now: number): void {
  const state = chain.tokens[token]!;
  if (state.replay) {
    state.replay.until = now + REPLAY_MS;
    return;
  }
  delete chain.tokens[state.successor!];
  delete state.successor;
}

/** Returns the token whose rotation can be undone: its successor is unused and new. */
export function findUndoable({ tokens }: TokenChain, now: number): string | undefined {
  return Object.keys(tokens).find((token) => {
    const successor = tokens[tokens[token]!.successor ?? ''];
    return successor && !successor.successor && now < successor.issuedAt + UNDO_MS;
  });
}

/** Whether a response is the expected one. @param reasons the descriptions of the rejections */
export function isExpectedResponse(
  { status, error, reason, refreshToken, scopes }: ExpectedResponse,
  response: TestResponse,
  reasons?: Record<string, string>,
): boolean {
  const { body } = response;
  return (
    response.status === status &&
    body.error === error &&
    (!reasons || reason === undefined || body.error_description === reasons[reason]) &&
    body.refresh_token === refreshToken &&
    body.scope === scopes?.join(' ')
  );
}

function isExpired({ issuedAt }: TokenState, now: number): boolean {
  return now >= issuedAt + LIFETIME_MS;
}

function reject(reason: string): ExpectedResponse {
  return { status: 400, error: 'invalid_grant', reason };
}

/** Returns all orders of the values. */
export function permute(values: number[]): number[][] {
  if (values.length <= 1) return [values];
  return values.flatMap((value) => permute(values.filter((other) => other !== value)).map((rest) => [value, ...rest]));
}
