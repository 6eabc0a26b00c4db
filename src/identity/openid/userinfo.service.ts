import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { toPictureUrl } from '../accounts/profile/picture-url.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { UserinfoResponse } from './userinfo.dto.js';

/** Selects the claims of the granted scopes (OpenID Connect Core §5.4). */
@Injectable()
export class UserinfoService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly settings: Settings,
  ) {}

  /** Returns the claims about the caller's person. */
  async getClaims({ accountId, scopes }: Caller): Promise<UserinfoResponse> {
    const account = await this.accounts.getCaller(accountId);
    return {
      sub: account.id,
      ...(scopes.has('profile') && {
        name: account.name,
        preferred_username: account.username,
        ...(account.picture !== null && { picture: toPictureUrl(this.settings.BASE_URL, account.picture) }),
        updated_at: Math.floor(account.updatedAt.getTime() / 1000),
      }),
      ...(scopes.has('email') && { email: account.email, email_verified: account.emailVerifiedAt !== null }),
    };
  }
}
