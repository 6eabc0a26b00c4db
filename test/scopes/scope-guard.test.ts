import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/metrics/metrics.js';
import { AccessTokens } from '../../src/scopes/access-tokens.js';
import { ScopeGuard } from '../../src/scopes/scope.guard.js';
import { newToken } from '../support/factories.js';
import { Service } from '../support/service.js';

describe('The scope guard', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  it('denies by default: a route that declares nothing is closed even to a token with every scope', async () => {
    const request = { headers: { authorization: `Bearer ${await newToken(service)}` } };
    const undeclared = (): string => 'open to all';
    const context = { getHandler: () => undeclared, switchToHttp: () => ({ getRequest: () => request }) };
    const guard = new ScopeGuard(new Reflector(), service.get(AccessTokens), service.get(Metrics));
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(false);
  });
});
