import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { type KeyObject, randomUUID } from 'node:crypto';
import { Settings } from '../../platform/config/settings.js';
import { signJwtEs256 } from '../../platform/crypto/jwt.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import { isScope, type Scope, parseScope } from './scopes.js';
import type { Caller } from './caller.decorator.js';
import { createTokenExpiredError, createTokenInvalidError } from './bearer-token-errors.js';

/** Header `typ` of an access token (RFC 9068 §2.1): what tells it from an id token. */
const ACCESS_TOKEN_TYPE = 'at+jwt';

/** RFC 9068 §2.2. */
interface AccessTokenClaims {
  iss: string;
  aud: string;
  sub: string;
  client_id: string;
  scope: string;
  /** When it was issued and when it runs out, in seconds since 1970. */
  iat: number;
  exp: number;
  jti: string;
}

/** How many tokens are remembered as verified: those of the busiest apps, in a few megabytes. */
const MAX_CACHED_TOKENS = 5_000;

/** What a token whose signature and claims were found right says. */
interface VerifiedToken {
  caller: Caller;
  kid: string;
  /** Seconds since 1970. */
  exp: number;
}

/** Access tokens: JWTs by RFC 9068, signed with ES256, an hour long, and good without a look into the database. */
@Injectable()
export class AccessTokensService {
  private readonly audience: string;
  private readonly verifiedTokens = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly settings: Settings,
  ) {
    this.audience = `${settings.BASE_URL}/api`;
  }

  /** Seconds that a new access token lives. */
  get lifetimeSeconds(): number {
    return this.settings.ACCESS_TOKEN_LIFETIME;
  }

  sign(accountId: string, appId: string, scopes: Iterable<Scope>): string {
    const { kid, privateKey } = this.keys.getSigningKey('ES256');
    const iat = Math.floor(Date.now() / 1000);
    const claims: AccessTokenClaims = {
      iss: this.settings.BASE_URL,
      aud: this.audience,
      sub: accountId,
      client_id: appId,
      scope: [...scopes].join(' '),
      iat,
      exp: iat + this.lifetimeSeconds,
      jti: randomUUID(),
    };
    return signJwtEs256({ typ: ACCESS_TOKEN_TYPE, kid }, claims, privateKey);
  }

  /** Who an access token speaks for, where it was verified before, still lives, and its key was not taken away. */
  getCachedCaller(token: string): Caller | undefined {
    const verified = this.verifiedTokens.get(token);
    if (!verified || verified.exp * 1000 <= Date.now() || !this.keys.has(verified.kid)) return undefined;
    return verified.caller;
  }

  /** Who an access token speaks for (RFC 9068 §4). @throws ApiError 401 where it is anything but a live one of ours */
  async verify(token: string): Promise<Caller> {
    const header = isCanonicalBase64Url(token) ? decodeHeader(token) : undefined;
    const key = typeof header?.kid === 'string' ? await this.keys.find(header.kid) : undefined;
    if (header?.typ !== ACCESS_TOKEN_TYPE || !key) throw createTokenInvalidError();
    const { sub: accountId, client_id: appId, scope, exp } = this.verifyClaims(token, key.publicKey);
    const caller = { accountId, appId, scopes: new Set(parseScope(scope).filter(isScope)) };
    this.verifiedTokens.set(token, { caller, kid: key.kid, exp });
    return caller;
  }

  private verifyClaims(token: string, key: KeyObject): AccessTokenClaims {
    try {
      return this.jwt.verify<AccessTokenClaims>(token, {
        publicKey: key as unknown as string, // jsonwebtoken takes a KeyObject, of which Nest's type does not know
        algorithms: ['ES256'],
        issuer: this.settings.BASE_URL,
        audience: this.audience,
      });
    } catch (error) {
      if ((error as Error).name !== 'TokenExpiredError') throw createTokenInvalidError();
      throw createTokenExpiredError();
    }
  }
}

/**
 * Whether a token is written in the one way its bytes are written. The last character of a signature holds bits that
 * mean nothing, so that a changed one could decode to the same signature.
 */
function isCanonicalBase64Url(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function decodeHeader(token: string): { kid?: unknown; typ?: unknown } | undefined {
  try {
    const [header = ''] = token.split('.', 1);
    return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid?: unknown; typ?: unknown };
  } catch {
    return undefined;
  }
}
