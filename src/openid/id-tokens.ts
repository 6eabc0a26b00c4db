import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account.entity.js';
import type { App } from '../apps/app.entity.js';
import { Settings } from '../config/settings.js';
import { SigningKeys } from '../keys/signing-keys.js';

/** Seconds in which an app should have read an id token. */
const LIFETIME = 3600;

/** What an id token is about. */
export interface Login {
  account: Account;
  app: App;
  authTime: Date;
  accessToken: string;
}

/** Id tokens: who signed in, told to one app (OpenID Connect Core §2). */
@Injectable()
export class IdTokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
  ) {}

  sign({ account, app, authTime, accessToken }: Login): string {
    const { privateKey, kid, algorithm } = this.keys.current(app.idTokenAlg);
    const claims = { auth_time: Math.floor(authTime.getTime() / 1000), at_hash: leftHalf(accessToken) };
    return this.jwt.sign(claims, {
      privateKey,
      algorithm,
      keyid: kid,
      issuer: this.settings.BASE_URL,
      audience: app.id,
      subject: account.id,
      expiresIn: LIFETIME,
    });
  }
}

/** The left half of a token's SHA-256 (OpenID Connect Core §3.1.3.6). */
function leftHalf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
