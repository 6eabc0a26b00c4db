import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type KeyObject, randomUUID } from 'node:crypto';
import { Settings } from '../config/settings.js';
import { signEs256 } from '../crypto/jwt.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { isScope, type Scope, splitScope } from './catalogue.js';
import type { Caller } from './caller.decorator.js';

/** Header `typ` of an access token (RFC 9068 §2.1): what tells it from an id token. */
const TYPE = 'at+jwt';

/** RFC 9068 §2.2. */
interface Claims {
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

/** Why an access token is refused. */
export class AccessTokenRefused extends Error {
  constructor(
    readonly code: 'token_expired' | 'token_invalid',
    message: string,
  ) {
    super(message);
  }
}

const INVALID = 'The access token is not valid.';

/** Access tokens: JWTs by RFC 9068, signed with ES256, an hour long, and good without a look into the database. */
@Injectable()
export class AccessTokens {
  private readonly audience: string;

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
  ) {
    this.audience = `${settings.BASE_URL}/api`;
  }

  /** Seconds that a new access token lives. */
  get lifetime(): number {
    return this.settings.ACCESS_TOKEN_LIFETIME;
  }

  sign(accountId: string, appId: string, scopes: Iterable<Scope>): string {
    const { kid, privateKey } = this.keys.current('ES256');
    const iat = Math.floor(Date.now() / 1000);
    const claims: Claims = {
      iss: this.settings.BASE_URL,
      aud: this.audience,
      sub: accountId,
      client_id: appId,
      scope: [...scopes].join(' '),
      iat,
      exp: iat + this.lifetime,
      jti: randomUUID(),
    };
    return signEs256({ typ: TYPE, kid }, claims, privateKey);
  }

  /** Who an access token speaks for (RFC 9068 §4). @throws AccessTokenRefused where it is anything but a live one of ours */
  async verify(token: string): Promise<Caller> {
    const key = await this.keyOf(token);
    const claims = this.readClaims(token, key);
    return {
      accountId: claims.sub,
      appId: claims.client_id,
      scopes: new Set(splitScope(claims.scope).filter(isScope)),
    };
  }

  private async keyOf(token: string): Promise<KeyObject> {
    const header = isCanonical(token) ? readHeader(token) : undefined;
    const key = typeof header?.kid === 'string' ? await this.keys.find(header.kid) : undefined;
    if (header?.typ !== TYPE || !key) throw new AccessTokenRefused('token_invalid', INVALID);
    return key.publicKey;
  }

  private readClaims(token: string, key: KeyObject): Claims {
    try {
      return this.jwt.verify<Claims>(token, {
        publicKey: key as unknown as string, // jsonwebtoken takes a KeyObject, of which Nest's type does not know
        algorithms: ['ES256'],
        issuer: this.settings.BASE_URL,
        audience: this.audience,
      });
    } catch (error) {
      if ((error as Error).name !== 'TokenExpiredError') throw new AccessTokenRefused('token_invalid', INVALID);
      throw new AccessTokenRefused('token_expired', 'The access token has expired.');
    }
  }
}

/**
 * Whether a token is written in the one way its bytes are written. The last character of a signature holds bits that
 * mean nothing, so that a changed one could decode to the same signature.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function readHeader(token: string): { kid?: unknown; typ?: unknown } | undefined {
  try {
    const [header = ''] = token.split('.', 1);
    return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid?: unknown; typ?: unknown };
  } catch {
    return undefined;
  }
}
