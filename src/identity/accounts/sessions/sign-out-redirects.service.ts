import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';

/** Encrypts the redirect URIs of apps for the form that confirms signing out. */
@Injectable()
export class SignOutRedirectsService {
  private readonly cipher: AesGcmCipher;

  constructor(settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'sign-out');
  }

  /** Encrypts a redirect URI that an app registered. */
  encrypt(redirectUri: string): string {
    return this.cipher.encrypt(redirectUri);
  }

  /** Returns the redirect URI of a form; undefined if this service did not encrypt it. */
  decrypt(encryptedRedirectUri: string): string | undefined {
    return this.cipher.decrypt(encryptedRedirectUri);
  }
}
