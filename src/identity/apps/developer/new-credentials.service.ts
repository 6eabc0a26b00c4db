import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { SessionCookiesService } from '../../accounts/sessions/session-cookies.service.js';

/** The credentials of an app that was just registered, or whose secret was just replaced. */
export interface NewCredentials {
  appId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  isNewApp: boolean;
}

const COOKIE_NAME = 'new_credentials';
const COOKIE_TTL_SECONDS = 300;

/**
 * Carries new credentials from the form to the page that shows them once, in an encrypted cookie.
 * So a reload of that page does not send the form again.
 */
@Injectable()
export class NewCredentialsService {
  private readonly cipher: AesGcmCipher;

  constructor(
    private readonly cookies: SessionCookiesService,
    { MASTER_SECRET }: Settings,
  ) {
    this.cipher = new AesGcmCipher(MASTER_SECRET, 'new-credentials');
  }

  issue(sessionDigest: string, credentials: NewCredentials): SetCookie {
    const text = JSON.stringify({ sessionDigest, credentials });
    return this.cookies.build(COOKIE_NAME, this.cipher.encrypt(text), COOKIE_TTL_SECONDS);
  }

  /** Returns the credentials of an app; null if the browser has none, or those of another session. */
  read(request: IncomingMessage, session: string, appId: string): NewCredentials | null {
    const text = this.cipher.decrypt(this.cookies.read(request, COOKIE_NAME) ?? '');
    if (!text) return null;
    const { sessionDigest, credentials } = JSON.parse(text) as { sessionDigest: string; credentials: NewCredentials };
    return sessionDigest === session && credentials.appId === appId ? credentials : null;
  }

  /** Builds the cookie that ends the display. */
  buildExpired(): SetCookie {
    return this.cookies.buildExpired(COOKIE_NAME);
  }
}
