import { Controller, Get } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Public } from '../../src/platform/http/public.decorator.js';
import { RequireScope } from '../../src/identity/scopes/require-scope.decorator.js';
import { TestServer } from '../support/test-server.js';

@Controller('api/forgotten')
class UndeclaredRouteController {
  @Get('route')
  undeclared(): string {
    return 'nobody asked';
  }
}

@Controller('api/undecided')
class ConflictingRouteController {
  @Get()
  @Public('no-token')
  @RequireScope('edits:read')
  conflicting(): string {
    return 'which?';
  }
}

describe('Route declarations', () => {
  it('stop the start with the name of a route without a declaration', async () => {
    await expect(TestServer.start({}, [UndeclaredRouteController])).rejects.toThrow(
      'GET /api/forgotten/route (UndeclaredRouteController.undeclared)',
    );
  });

  it('stop the start with the name of a route with two declarations', async () => {
    await expect(TestServer.start({}, [ConflictingRouteController])).rejects.toThrow(
      'GET /api/undecided (ConflictingRouteController.conflicting)',
    );
  });
});
