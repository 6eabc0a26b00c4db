import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallerLoader } from '../../src/identity/scopes/caller.loader.js';
import { ScopeGuard } from '../../src/identity/scopes/scope.guard.js';
import { issueAccessToken } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('Scope guard', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('rejects every token on a route without a declaration', async () => {
    const request = { headers: { authorization: `Bearer ${await issueAccessToken(server)}` } };
    const undeclared = (): string => 'open to all';
    class Undeclared {}
    const context = {
      getClass: () => Undeclared,
      getHandler: () => undeclared,
      switchToHttp: () => ({ getRequest: () => request }),
    };
    const guard = new ScopeGuard(new Reflector(), server.get(CallerLoader));
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(false);
  });
});
