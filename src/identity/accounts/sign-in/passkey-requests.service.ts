import { Injectable } from '@nestjs/common';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { Settings } from '../../../platform/config/settings.js';
import { SessionCookies } from '../sessions/session-cookies.service.js';
import { CHALLENGE_TTL_MS, type ChallengeBinding, PasskeyChallenges } from './passkey-challenges.service.js';
import { getRelyingPartyId } from './relying-party.js';

const BROWSER_COOKIE_NAME = 'passkey_browser';

/** Lifetime of the cookie. Each sign-in page renews it. */
const BROWSER_COOKIE_TTL_SECONDS = 3600;

const BROWSER_ID_PATTERN = /^[\w-]{22}$/;

/** The request for a passkey that a sign-in page contains. */
export interface PasskeyRequest {
  /** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.5). */
  optionsJson: string;
  /** Cookie that binds the challenge to the browser. */
  cookie: SetCookie;
}

/** Creates the requests for a passkey of the sign-in page. */
@Injectable()
export class PasskeyRequestsService {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly cookies: SessionCookies,
    private readonly settings: Settings,
  ) {}

  /** Creates a request for any passkey of this service: the person enters no username. */
  async create(request: IncomingMessage): Promise<PasskeyRequest> {
    const browserId = this.readBrowserId(request) ?? randomBytes(16).toString('base64url');
    const options = await generateAuthenticationOptions({
      rpID: getRelyingPartyId(this.settings),
      challenge: this.challenges.issue({ purpose: 'signIn', boundTo: browserId }),
      userVerification: 'required',
      timeout: CHALLENGE_TTL_MS,
    });
    const cookie = this.cookies.build(BROWSER_COOKIE_NAME, browserId, BROWSER_COOKIE_TTL_SECONDS);
    return { optionsJson: JSON.stringify(options), cookie };
  }

  /** Returns the binding of the challenges of a browser; undefined without its cookie. */
  getBinding(request: IncomingMessage): ChallengeBinding | undefined {
    const browserId = this.readBrowserId(request);
    return browserId === undefined ? undefined : { purpose: 'signIn', boundTo: browserId };
  }

  private readBrowserId(request: IncomingMessage): string | undefined {
    const browserId = this.cookies.read(request, BROWSER_COOKIE_NAME) ?? '';
    return BROWSER_ID_PATTERN.test(browserId) ? browserId : undefined;
  }
}
