import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerOptions } from '@nestjs/throttler';
import { networkOfCaller } from '../http/network.js';
import type { GuardedRequest } from '../scopes/caller.decorator.js';
import { ACCESS } from '../scopes/catalogue.js';
import { Public } from '../scopes/public.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { ANONYMOUS, type Policy, READS, WRITES } from './policy.js';

const reflector = new Reflector();

/** Whose calls count together: an app's for a person; without a token, all from a network. */
export function whoCalls({ caller }: GuardedRequest): string {
  return caller ? `${caller.appId} ${caller.accountId}` : networkOfCaller();
}

/** The limits of the API, of which one applies to a call that the scope gate let in. */
export const API_LIMITS: ThrottlerOptions[] = [READS, WRITES, ANONYMOUS].map((policy) => ({
  name: policy.name,
  limit: policy.most,
  ttl: policy.window * 1000,
  skipIf: (context) => policyOf(context) !== policy,
}));

/** Only what takes a token is limited here: pages and what tells of us are not calls of the API. */
function policyOf(context: ExecutionContext): Policy | undefined {
  const handler = context.getHandler();
  const scope = reflector.get(RequireScope, handler);
  if (scope) return ACCESS[scope] === 'write' ? WRITES : READS;
  if (reflector.get(Public, handler) !== 'optional-token') return undefined;
  return context.switchToHttp().getRequest<GuardedRequest>().caller ? READS : ANONYMOUS;
}
