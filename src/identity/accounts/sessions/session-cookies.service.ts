import { Injectable } from '@nestjs/common';
import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../../../platform/config/settings.js';

/** Reads and builds the cookies of the pages: HttpOnly, SameSite=Lax, and Secure under https. */
@Injectable()
export class SessionCookiesService {
  private readonly namePrefix: string;

  constructor(private readonly settings: Settings) {
    // The prefix makes browsers reject a cookie that another host set (RFC 6265bis §4.1.3.2).
    this.namePrefix = settings.isHttps && settings.basePath === '' ? '__Host-' : '';
  }

  /** Returns the value of a cookie of the request. */
  read(request: IncomingMessage, name: string): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[this.namePrefix + name];
  }

  /** Builds a cookie. @param maxAge lifetime in seconds */
  build(name: string, value: string, maxAge: number): SetCookie {
    return {
      name: this.namePrefix + name,
      value,
      maxAge,
      path: this.settings.basePath || '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.settings.isHttps,
    };
  }

  /** Builds the cookie that deletes the cookie of this name. */
  buildExpired(name: string): SetCookie {
    return this.build(name, '', 0);
  }
}
