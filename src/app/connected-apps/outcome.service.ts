import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';

/** What a form of the pages of connected apps did, for the page that follows. */
export type Outcome =
  | { kind: 'access' | 'sign-in' | 'undone' | 'changed' | 'limit' }
  | { kind: 'withdrawn'; count: number }
  | { kind: 'undone-all'; undone: number; left: number };

/**
 * Carries an outcome to the next page in its address. It is encrypted, so that a link of a stranger
 * cannot make the page say something else.
 */
@Injectable()
export class OutcomeService {
  private readonly cipher: AesGcmCipher;

  constructor({ MASTER_SECRET }: Settings) {
    this.cipher = new AesGcmCipher(MASTER_SECRET, 'connected-app-outcome');
  }

  /** Returns the query of the next page. */
  toQuery(accountId: string, appId: string, outcome: Outcome): string {
    return `?done=${this.cipher.encrypt(JSON.stringify({ accountId, appId, outcome }))}`;
  }

  /** Returns the outcome in a query, and its app; null without one, or for another person. */
  find(accountId: string, query: URLSearchParams): { appId: string; outcome: Outcome } | null {
    const text = this.cipher.decrypt(query.get('done') ?? '');
    if (!text) return null;
    const { accountId: owner, ...found } = JSON.parse(text) as { accountId: string; appId: string; outcome: Outcome };
    return owner === accountId ? found : null;
  }
}
