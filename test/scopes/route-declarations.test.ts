import { Controller, Get } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Public } from '../../src/scopes/public.decorator.js';
import { RequireScope } from '../../src/scopes/require-scope.decorator.js';
import { Service } from '../support/service.js';

@Controller('api/forgotten')
class ForgottenController {
  @Get('route')
  silent(): string {
    return 'nobody asked';
  }
}

@Controller('api/undecided')
class UndecidedController {
  @Get()
  @Public('no-token')
  @RequireScope('edits:read')
  both(): string {
    return 'which?';
  }
}

describe('A route that does not say what it needs', () => {
  it('stops the start, with its name', async () => {
    await expect(Service.start({}, [ForgottenController])).rejects.toThrow(
      'GET /api/forgotten/route (ForgottenController.silent)',
    );
  });

  it('stops the start where it says both', async () => {
    await expect(Service.start({}, [UndecidedController])).rejects.toThrow(
      'GET /api/undecided (UndecidedController.both)',
    );
  });
});
