import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { Caller } from '../scopes/caller.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { AllowFormToken } from '../scopes/allow-form-token.decorator.js';
import type { UserinfoResponse } from './userinfo.dto.js';
import { UserinfoService } from './userinfo.service.js';

/** The UserInfo endpoint (OpenID Connect Core §5.3). */
@Controller('api/oauth/userinfo')
export class UserinfoController {
  constructor(private readonly userinfo: UserinfoService) {}

  @Get()
  @RequireScope('openid')
  @Header('Cache-Control', 'no-store')
  get(@Caller() caller: Caller): Promise<UserinfoResponse> {
    return this.userinfo.getClaims(caller);
  }

  @Post()
  @HttpCode(200)
  @RequireScope('openid')
  @AllowFormToken(true)
  @Header('Cache-Control', 'no-store')
  post(@Caller() caller: Caller): Promise<UserinfoResponse> {
    return this.userinfo.getClaims(caller);
  }
}
