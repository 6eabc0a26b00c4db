import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { Settings } from '../config/settings.js';
import { AesGcmCipher } from '../crypto/aes-gcm-cipher.js';
import { deriveKey } from '../crypto/derive-key.js';
import type { OutgoingMessage } from './mail.js';

/**
 * Encrypts waiting messages and hides addresses under `MASTER_SECRET`, because a message contains
 * an address and a link that works like a password.
 */
@Injectable()
export class MessageCipherService {
  private readonly cipher: AesGcmCipher;
  private readonly digestKey: Buffer;

  constructor({ MASTER_SECRET }: Settings) {
    this.cipher = new AesGcmCipher(MASTER_SECRET, 'outgoing-emails');
    this.digestKey = deriveKey(MASTER_SECRET[0]!, 'outgoing-emails-recipient');
  }

  encrypt(message: OutgoingMessage): string {
    return this.cipher.encrypt(JSON.stringify(message));
  }

  /** @returns undefined if no `MASTER_SECRET` decrypts the message */
  decrypt(encrypted: string): OutgoingMessage | undefined {
    const text = this.cipher.decrypt(encrypted);
    return text === undefined ? undefined : (JSON.parse(text) as OutgoingMessage);
  }

  /** Returns a digest that is equal for messages of one kind to one address. */
  computeRecipientDigest(address: string, kind: string): string {
    const normalizedAddress = address.normalize('NFKC').toLowerCase();
    return createHmac('sha256', this.digestKey).update(`${kind}\n${normalizedAddress}`).digest('base64url');
  }
}
