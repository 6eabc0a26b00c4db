import { Injectable } from '@nestjs/common';
import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import type { App } from '../app.entity.js';

/** The credentials of an app that was just registered, or whose secret was just replaced. */
export interface NewCredentials {
  appId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  isNewApp: boolean;
}

interface CookieContent {
  sessionDigest: string;
  credentials: NewCredentials;
  /** Milliseconds since 1970. */
  expiresAt: number;
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

  constructor(private readonly settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'new-credentials');
  }

  issue(sessionDigest: string, credentials: NewCredentials): SetCookie {
    const expiresAt = Date.now() + COOKIE_TTL_SECONDS * 1000;
    const content: CookieContent = { sessionDigest, credentials, expiresAt };
    return this.buildCookie(credentials.appId, this.cipher.encrypt(JSON.stringify(content)), COOKIE_TTL_SECONDS);
  }

  /** Returns the credentials that the session got for an app, while they are its present ones. */
  read(request: IncomingMessage, session: string, { id, secretDigest }: App): NewCredentials | null {
    const text = this.cipher.decrypt(parseCookie(request.headers.cookie ?? '')[COOKIE_NAME] ?? '');
    if (!text) return null;
    const { sessionDigest, credentials, expiresAt } = JSON.parse(text) as CookieContent;
    const { appId, clientSecret } = credentials;
    const isPresent = clientSecret === null || computeDigest(clientSecret) === secretDigest;
    return sessionDigest === session && appId === id && expiresAt > Date.now() && isPresent ? credentials : null;
  }

  /** Builds the cookie that ends the display. */
  buildExpired(appId: string): SetCookie {
    return this.buildCookie(appId, '', 0);
  }

  /** Each app has a cookie of its own, which the browser sends only to the page that shows it. */
  private buildCookie(appId: string, value: string, maxAge: number): SetCookie {
    const path = `${this.settings.basePath}/developer/apps/${appId}/credentials`;
    return { name: COOKIE_NAME, value, maxAge, path, httpOnly: true, sameSite: 'lax', secure: this.settings.isHttps };
  }
}
