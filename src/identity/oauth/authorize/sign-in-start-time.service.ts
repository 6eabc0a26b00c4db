import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';

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
  find(params: URLSearchParams): Date | undefined {
    const [time, digest] = (this.cipher.decrypt(params.get(REQUEST_TIME_PARAM) ?? '') ?? '').split(' ');
    const isValid = digest === this.digestParams(params) && Date.now() - Number(time) < MAX_REQUEST_AGE_MS;
    return isValid ? new Date(Number(time)) : undefined;
  }

  /** Returns the parameters of the request with its encrypted time. */
  addTo(params: URLSearchParams, time: Date): URLSearchParams {
    const timedParams = new URLSearchParams(params);
    timedParams.set(REQUEST_TIME_PARAM, this.cipher.encrypt(`${time.getTime()} ${this.digestParams(params)}`));
    return timedParams;
  }

  private digestParams(params: URLSearchParams): string {
    return computeDigest([...params].filter(([name]) => name !== REQUEST_TIME_PARAM).join('&'));
  }
}
