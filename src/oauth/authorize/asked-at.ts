import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { digest } from '../../crypto/opaque-secret.js';
import { SealedBox } from '../../crypto/sealed-box.js';

/** The parameter that tells when a request first came. */
const PARAMETER = 'asked_at';

/** Milliseconds after which a person who comes back from signing in counts as having just come. */
const LONGEST = 3600_000;

/**
 * When an app asked. A request that needs a fresh proof of who the person is (`prompt=login`, `max_age`) goes by way of
 * the sign-in page and comes back; it then carries, sealed, when it came first, so that signing in since then will do.
 */
@Injectable()
export class AskedAt {
  private readonly box: SealedBox;

  constructor(settings: Settings) {
    this.box = new SealedBox(settings.MASTER_SECRET, 'asked-at');
  }

  of(params: URLSearchParams): Date {
    const [at, what] = (this.box.open(params.get(PARAMETER) ?? '') ?? '').split(' ');
    const now = new Date();
    const isOurs = what === this.nameOf(params) && now.getTime() - Number(at) < LONGEST;
    return isOurs ? new Date(Number(at)) : now;
  }

  /** The same request, with when it came. */
  mark(params: URLSearchParams, at: Date): URLSearchParams {
    const marked = new URLSearchParams(params);
    marked.set(PARAMETER, this.box.seal(`${at.getTime()} ${this.nameOf(params)}`));
    return marked;
  }

  private nameOf(params: URLSearchParams): string {
    return digest([...params].filter(([name]) => name !== PARAMETER).join('&'));
  }
}
