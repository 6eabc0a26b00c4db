import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { decodeJwtHeader } from '../../platform/crypto/jwt.js';
import { removeParam } from '../../platform/http/request-url.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';

const HINT_PARAM = 'id_token_hint';

/** Claims of an `id_token_hint`. */
export interface IdTokenHint {
  accountId: string;
  appId: string;
  /** When the person authenticated, in seconds since 1970: the same for all tokens of a session. */
  authTime: number;
}

/** Verifies the ID tokens that apps send as `id_token_hint`, and hides them in addresses. */
@Injectable()
export class IdTokenHintsService {
  private readonly cipher: AesGcmCipher;

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'id-token-hint');
  }

  /**
   * Verifies an ID token, which may be expired (OpenID Connect RP-Initiated Logout §2), or a hint
   * that this service encrypted.
   * @returns undefined if this service did not make it
   */
  async verify(hint: string): Promise<IdTokenHint | undefined> {
    const decrypted = this.cipher.decrypt(hint);
    return decrypted === undefined ? this.verifyIdToken(hint) : (JSON.parse(decrypted) as IdTokenHint);
  }

  /**
   * Returns a query or a form in which the ID token is encrypted. So the addresses to which this
   * service redirects, and which browsers and proxies store, have no claims about the person.
   */
  async hide(query: string): Promise<string> {
    const hints = new URLSearchParams(query).getAll(HINT_PARAM);
    if (hints.length !== 1 || hints[0] === '') return removeRepeated(query, hints);
    const hint = hints[0]!;
    if (this.cipher.decrypt(hint) !== undefined) return query;
    const claims = await this.verifyIdToken(hint);
    return replaceHint(query, claims ? this.cipher.encrypt(JSON.stringify(claims)) : 'invalid');
  }

  private async verifyIdToken(token: string): Promise<IdTokenHint | undefined> {
    const header = decodeJwtHeader(token);
    const key = typeof header?.kid === 'string' ? await this.keys.find(header.kid) : undefined;
    if (!key || header?.typ !== 'JWT') return undefined;
    try {
      const claims = this.jwt.verify<{ sub: string; aud: string; auth_time: number }>(token, {
        // jsonwebtoken accepts a KeyObject; Nest's type does not.
        publicKey: key.publicKey as unknown as string,
        algorithms: [key.algorithm],
        issuer: this.settings.BASE_URL,
        ignoreExpiration: true,
      });
      return { accountId: claims.sub, appId: claims.aud, authTime: claims.auth_time };
    } catch {
      return undefined;
    }
  }
}

/** Repeated hints stay repeated, which is an error, but without their values. */
function removeRepeated(query: string, hints: string[]): string {
  return hints.length < 2 ? query : `${replaceHint(query, 'repeated')}&${HINT_PARAM}=repeated`;
}

function replaceHint(query: string, hint: string): string {
  return `${removeParam(query, HINT_PARAM)}&${HINT_PARAM}=${hint}`;
}
