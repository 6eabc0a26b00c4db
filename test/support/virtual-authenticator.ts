import type { CDPSession } from 'playwright-core';
import type { BrowserPage } from './browser-page.js';

/** An authenticator that Chromium emulates (WebAuthn Level 2 §11). */
export interface VirtualAuthenticator {
  cdp: CDPSession;
  authenticatorId: string;
}

/** Adds a platform authenticator with discoverable credentials and user verification. */
export async function addVirtualAuthenticator({ page }: BrowserPage): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return { cdp, authenticatorId };
}
