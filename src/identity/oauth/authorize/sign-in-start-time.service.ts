import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { removeParam } from '../../../platform/http/request-url.js';

/** Query parameter with the encrypted time of the first request. */
const REQUEST_TIME_PARAM = 'asked_at';

/** Age after which a request counts as new. */
const MAX_REQUEST_AGE_MS = 3600_000;

/**
 * The time of an authentication request. A request with `prompt=login` or `max_age` passes through
 * the sign-in page and carries the encrypted time of the first request, so that a sign-in since
 * then suffices.
 */
@Injectable()
export class SignInStartTimeService {
  private readonly cipher: AesGcmCipher;

  constructor(settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'asked-at');
  }

  /** Returns the time of the first request; undefined if this is the first one. */
  find(query: string): Date | undefined {
    const params = new URLSearchParams(query);
    const [time, digest] = (this.cipher.decrypt(params.get(REQUEST_TIME_PARAM) ?? '') ?? '').split(' ');
    const isValid = digest === digestQuery(query) && Date.now() - Number(time) < MAX_REQUEST_AGE_MS;
    return isValid ? new Date(Number(time)) : undefined;
  }

  /** Returns the query with the encrypted time. */
  addTo(query: string, time: Date): string {
    const encryptedTime = this.cipher.encrypt(`${time.getTime()} ${digestQuery(query)}`);
    return `${removeRequestTime(query)}&${new URLSearchParams({ [REQUEST_TIME_PARAM]: encryptedTime })}`;
  }
}

/** Returns the query as the app sent it. */
export function removeRequestTime(query: string): string {
  return removeParam(query, REQUEST_TIME_PARAM);
}

/** The browser may encode the same parameters in another way. */
function digestQuery(query: string): string {
  return computeDigest([...new URLSearchParams(removeRequestTime(query))].join('&'));
}
