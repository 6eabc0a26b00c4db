import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { type KeyObject, randomUUID } from 'node:crypto';
import { Settings } from '../../platform/config/settings.js';
import { decodeJwtClaims, decodeJwtHeader, signEs256Jwt } from '../../platform/crypto/jwt.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import type { Caller } from './caller.decorator.js';
import { RESOURCES, type Resource, toResourceUrl } from './resources.js';
import { type Scope, parseScope } from './scopes.js';

/**
 * The header `typ` of an access token (RFC 9068 §2.1). It distinguishes access tokens from id
 * tokens.
 */
const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The claims of an access token (RFC 9068 §2.2). */
interface AccessTokenClaims {
  iss: string;
  aud: string;
  sub: string;
  client_id: string;
  scope: string;
  /** Issued at, and expiry: seconds since 1970. */
  iat: number;
  exp: number;
  jti: string;
  /** The key to which the token is bound (RFC 9449 §6.1). */
  cnf?: { jkt: string };
}

/** Verified tokens in the cache: those of the busiest apps, in a few megabytes. */
const MAX_CACHED_TOKENS = 5_000;

/** Why a token is not accepted. */
export type TokenRejection =
  | { reason: 'invalid' | 'expired' }
  | { reason: 'other_issuer'; issuer: string }
  | { reason: 'other_resource'; resource: Resource };

/** Issuers that an error may repeat. */
const HARMLESS_URL = /^https?:\/\/[\w.:/[\]~-]{1,200}$/;

/** A token with a valid signature and valid claims. */
interface VerifiedToken {
  caller: Caller;
  resource: Resource;
  kid: string;
  /** Seconds since 1970. */
  exp: number;
}

/**
 * Issues and verifies access tokens: JWTs by RFC 9068, signed with ES256, valid for an hour without
 * a database lookup.
 */
@Injectable()
export class AccessTokensService {
  /** Seconds from issue to expiry. */
  readonly lifetimeSeconds: number;
  private readonly verifiedTokens = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly settings: Settings,
  ) {
    this.lifetimeSeconds = settings.ACCESS_TOKEN_LIFETIME;
    keys.registerTokenLifetime(this.lifetimeSeconds);
  }

  /**
   * Issues a token for an app, to act for an account within scopes at one resource.
   * @param jkt thumbprint of the key to which the token is bound (RFC 9449 §6)
   */
  sign(accountId: string, appId: string, scopes: Iterable<Scope>, resource: Resource, jkt?: string): string {
    const { kid, privateKey } = this.keys.getSigningKey('ES256');
    const iat = Math.floor(Date.now() / 1000);
    const claims: AccessTokenClaims = {
      iss: this.settings.BASE_URL,
      aud: toResourceUrl(this.settings.BASE_URL, resource),
      sub: accountId,
      client_id: appId,
      scope: [...scopes].join(' '),
      iat,
      exp: iat + this.lifetimeSeconds,
      jti: randomUUID(),
      ...(jkt !== undefined && { cnf: { jkt } }),
    };
    return signEs256Jwt({ typ: ACCESS_TOKEN_TYPE, kid }, claims, privateKey);
  }

  /**
   * The caller of a token that was verified before for the resource, is not expired, and whose key
   * was not removed.
   */
  getCachedCaller(token: string, resource: Resource): Caller | undefined {
    const verified = this.verifiedTokens.get(token);
    if (verified?.resource !== resource || verified.exp * 1000 <= Date.now() || !this.keys.has(verified.kid))
      return undefined;
    return verified.caller;
  }

  /**
   * Verifies a token (RFC 9068 §4). Only an access token of this service for the resource that is
   * not expired has a caller.
   */
  async verify(token: string, resource: Resource): Promise<Caller | TokenRejection> {
    const header = isCanonicalBase64Url(token) ? decodeJwtHeader(token) : undefined;
    const key = typeof header?.kid === 'string' ? await this.keys.find(header.kid) : undefined;
    if (header?.typ !== ACCESS_TOKEN_TYPE) return { reason: 'invalid' };
    if (!key) return this.explainRejection(token, resource);
    const claims = this.verifyClaims(token, key.publicKey, resource);
    if ('reason' in claims) return claims;
    const { sub: accountId, client_id: appId, scope, iat, exp, cnf } = claims;
    const caller = { accountId, appId, scopes: new Set(parseScope(scope)), issuedAtMs: iat * 1000, jkt: cnf?.jkt };
    this.verifiedTokens.set(token, { caller, resource, kid: key.kid, exp });
    return caller;
  }

  private verifyClaims(token: string, key: KeyObject, resource: Resource): AccessTokenClaims | TokenRejection {
    try {
      return this.jwt.verify<AccessTokenClaims>(token, {
        // jsonwebtoken accepts a KeyObject; the type of @nestjs/jwt does not.
        publicKey: key as unknown as string,
        algorithms: ['ES256'],
        issuer: this.settings.BASE_URL,
        audience: toResourceUrl(this.settings.BASE_URL, resource),
      });
    } catch (error) {
      if ((error as Error).name === 'TokenExpiredError') return { reason: 'expired' };
      return this.explainRejection(token, resource);
    }
  }

  /** Reads the claims without a verification, for the developer who sends the wrong token. */
  private explainRejection(token: string, resource: Resource): TokenRejection {
    const { BASE_URL } = this.settings;
    const { iss, aud } = decodeJwtClaims(token) ?? {};
    if (typeof iss === 'string' && iss !== BASE_URL && HARMLESS_URL.test(iss))
      return { reason: 'other_issuer', issuer: iss };
    const other = RESOURCES.find((known) => known !== resource && toResourceUrl(BASE_URL, known) === aud);
    return other ? { reason: 'other_resource', resource: other } : { reason: 'invalid' };
  }
}

/**
 * Whether each part is the only base64url encoding of its bytes. The last character of a signature
 * has unused bits, so a changed character can decode to the same signature.
 */
function isCanonicalBase64Url(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
