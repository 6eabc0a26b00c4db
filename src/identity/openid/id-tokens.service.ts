import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account.entity.js';
import { AMR_PASSKEY } from '../accounts/sessions/session.entity.js';
import { type App, getClientId } from '../apps/app.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { CLIENT_PROPAGATION_MS, SigningKeysService } from '../keys/signing-keys.service.js';
import type { Scope } from '../scopes/scopes.js';
import { toUserinfoResponse } from './userinfo.dto.js';

/** Seconds from issue to expiry of an ID token. */
const ID_TOKEN_LIFETIME_SECONDS = 3600;

/** Values of the claim `acr`. */
export const ACR_VALUES = ['phr', '0'] as const;

/** Values of an ID token. */
export interface IdTokenInput {
  account: Account;
  app: App;
  /** The granted scopes, which select the claims about the person. */
  scopes: Scope[];
  authTime: Date;
  /** How the person authenticated (RFC 8176). */
  amr?: string[];
  accessToken: string;
  /** The `nonce` of the authentication request (§3.1.2.1). */
  nonce?: string | null;
}

/** Signs ID tokens (OpenID Connect Core §2). */
@Injectable()
export class IdTokensService {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly settings: Settings,
  ) {
    keys.registerTokenLifetime(ID_TOKEN_LIFETIME_SECONDS);
  }

  /** Signs the claims about the person too: many clients read only the ID token. */
  sign({ account, app, scopes, authTime, amr, accessToken, nonce }: IdTokenInput): string {
    const { privateKey, kid, algorithm } = this.keys.getSigningKey(app.idTokenAlg, CLIENT_PROPAGATION_MS);
    const claims = {
      ...toUserinfoResponse(account, new Set(scopes), this.settings.BASE_URL),
      auth_time: toAuthTimeClaim(authTime),
      ...(amr && { amr }),
      acr: toAcrClaim(amr),
      at_hash: computeAtHash(accessToken),
      ...(nonce && { nonce }),
    };
    return this.jwt.sign(claims, {
      privateKey,
      algorithm,
      keyid: kid,
      issuer: this.settings.BASE_URL,
      audience: getClientId(app),
      expiresIn: ID_TOKEN_LIFETIME_SECONDS,
    });
  }
}

/** Returns the claim `auth_time` (OpenID Connect Core §2) of a session. */
export function toAuthTimeClaim(authTime: Date): number {
  return Math.floor(authTime.getTime() / 1000);
}

/**
 * Returns the claim `acr`: `phr`, which resists phishing, after a passkey (OpenID Connect Extended
 * Authentication Profile), or `0`, which promises nothing (OpenID Connect Core §2).
 */
function toAcrClaim(amr: string[] = []): (typeof ACR_VALUES)[number] {
  return AMR_PASSKEY.every((method) => amr.includes(method)) ? 'phr' : '0';
}

/** Returns the left half of the token's SHA-256 (OpenID Connect Core §3.1.3.6). */
function computeAtHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
