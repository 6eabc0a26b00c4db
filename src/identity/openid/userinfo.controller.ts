import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { Caller } from '../scopes/caller.decorator.js';
import { AllowFormToken, RequireScope } from '../scopes/require-scope.decorator.js';
import { toUserinfoResponse, type UserinfoResponse } from './userinfo.dto.js';

/** The UserInfo endpoint (OpenID Connect Core §5.3). */
@Controller('api/oauth/userinfo')
export class UserinfoController {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly settings: Settings,
  ) {}

  @Get()
  @RequireScope('openid')
  @Header('Cache-Control', 'no-store')
  async get(@Caller() caller: Caller): Promise<UserinfoResponse> {
    return toUserinfoResponse(await this.accounts.getCaller(caller), caller.scopes, this.settings.BASE_URL);
  }

  @Post()
  @HttpCode(200)
  @RequireScope('openid')
  @AllowFormToken(true)
  @Header('Cache-Control', 'no-store')
  post(@Caller() caller: Caller): Promise<UserinfoResponse> {
    return this.get(caller);
  }
}
