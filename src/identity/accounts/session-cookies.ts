import { Injectable } from '@nestjs/common';
import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../../platform/config/settings.js';

/** A cookie of ours: the browser alone reads it, and sends it only to us and not with forms of other sites. */
@Injectable()
export class SessionCookies {
  private readonly namePrefix: string;

  constructor(private readonly settings: Settings) {
    // What a browser takes by this name from nobody else (RFC 6265bis §4.1.3.2).
    this.namePrefix = settings.isHttps && settings.basePath === '' ? '__Host-' : '';
  }

  read(request: IncomingMessage, name: string): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[this.namePrefix + name];
  }

  /** @param maxAge seconds */
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

  buildExpired(name: string): SetCookie {
    return this.build(name, '', 0);
  }
}
