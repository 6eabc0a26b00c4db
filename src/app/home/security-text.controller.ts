import { Controller, Get, Header, NotFoundException } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Public } from '../../platform/http/public.decorator.js';

/** Milliseconds until a reader must fetch the file again (RFC 9116 §2.5.5). */
const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;

/** Where to report a vulnerability (RFC 9116). */
@Controller('.well-known/security.txt')
export class SecurityTextController {
  constructor(private readonly settings: Settings) {}

  /** Returns the file, or 404 if no contact is set. */
  @Get()
  @Public('no-token')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getText(): string {
    const { BASE_URL, CONTACT, SECURITY_CONTACT = CONTACT } = this.settings;
    if (SECURITY_CONTACT === undefined) throw new NotFoundException();
    return [
      `Contact: ${SECURITY_CONTACT}`,
      `Expires: ${new Date(Date.now() + LIFETIME_MS).toISOString()}`,
      `Canonical: ${BASE_URL}/.well-known/security.txt`,
      `Policy: ${BASE_URL}/docs/security-policy`,
      'Preferred-Languages: en',
      '',
    ].join('\n');
  }
}
