import { Injectable } from '@nestjs/common';
import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../config/settings.js';

/** A cookie of ours: the browser alone reads it, and sends it only to us and not with forms of other sites. */
@Injectable()
export class OwnCookies {
  private readonly prefix: string;

  constructor(private readonly settings: Settings) {
    // What a browser takes by this name from nobody else (RFC 6265bis §4.1.3.2).
    this.prefix = settings.secure && settings.basePath === '' ? '__Host-' : '';
  }

  read(request: IncomingMessage, name: string): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[this.prefix + name];
  }

  /** @param maxAge seconds */
  set(name: string, value: string, maxAge: number): SetCookie {
    return {
      name: this.prefix + name,
      value,
      maxAge,
      path: this.settings.basePath || '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.settings.secure,
    };
  }

  remove(name: string): SetCookie {
    return this.set(name, '', 0);
  }
}
