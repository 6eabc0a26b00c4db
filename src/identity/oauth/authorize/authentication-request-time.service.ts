import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';

/** The parameter that tells when a request first came. */
const REQUEST_TIME_PARAM = 'asked_at';

/** Milliseconds after which a person who comes back from signing in counts as having just come. */
const MAX_REQUEST_AGE_MS = 3600_000;

/**
 * When an app asked. A request that needs a fresh proof of who the person is (`prompt=login`, `max_age`) goes by way of
 * the sign-in page and comes back; it then carries, sealed, when it came first, so that signing in since then will do.
 */
@Injectable()
export class AuthenticationRequestTime {
  private readonly cipher: AesGcmCipher;

  constructor(settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'asked-at');
  }

  read(params: URLSearchParams): Date {
    const [at, what] = (this.cipher.decrypt(params.get(REQUEST_TIME_PARAM) ?? '') ?? '').split(' ');
    const now = new Date();
    const isOurs = what === this.digestParams(params) && now.getTime() - Number(at) < MAX_REQUEST_AGE_MS;
    return isOurs ? new Date(Number(at)) : now;
  }

  /** The same request, with when it came. */
  addTo(params: URLSearchParams, at: Date): URLSearchParams {
    const marked = new URLSearchParams(params);
    marked.set(REQUEST_TIME_PARAM, this.cipher.encrypt(`${at.getTime()} ${this.digestParams(params)}`));
    return marked;
  }

  private digestParams(params: URLSearchParams): string {
    return computeDigest([...params].filter(([name]) => name !== REQUEST_TIME_PARAM).join('&'));
  }
}
