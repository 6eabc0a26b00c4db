import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { Redirect } from '../../../platform/http/redirect.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { renderSignedOutPage, renderSignOutPage, type SignOutRequest } from './sign-out.page.js';

/** Signs a person out of this browser, at their own request or at the request of an app. */
@Injectable()
export class SignOutService {
  private readonly redirectUriCipher: AesGcmCipher;

  constructor(
    private readonly sessions: SessionsService,
    settings: Settings,
  ) {
    this.redirectUriCipher = new AesGcmCipher(settings.MASTER_SECRET, 'sign-out');
  }

  /** Renders the confirmation page. Its form contains the encrypted redirect URI of the request. */
  renderConfirmation(viewContext: ViewContext, request?: SignOutRequest): View {
    const encryptedRedirectUri = request?.redirectUri && this.redirectUriCipher.encrypt(request.redirectUri);
    return renderSignOutPage(viewContext, request, encryptedRedirectUri);
  }

  /**
   * Signs the person out after they confirmed it.
   * @param encryptedRedirectUri field of the confirmation form
   */
  async confirm(
    viewContext: ViewContext,
    session: Session | null,
    encryptedRedirectUri: string | null,
  ): Promise<View | Redirect> {
    return this.signOut(viewContext, session, this.redirectUriCipher.decrypt(encryptedRedirectUri ?? ''));
  }

  /** Ends the session. @returns a redirect to the URI, or a page if there is none */
  async signOut(
    viewContext: ViewContext,
    session: Session | null,
    redirectUri: string | undefined,
  ): Promise<View | Redirect> {
    const cookies = [await this.sessions.end(session)];
    if (redirectUri !== undefined) return new Redirect(redirectUri, cookies);
    viewContext.viewer = undefined;
    return { ...renderSignedOutPage(viewContext), cookies };
  }
}
