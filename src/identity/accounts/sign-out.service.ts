import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { Redirect } from '../../platform/http/redirect.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { renderSignedOutPage, renderSignOutPage, type SignOutRequest } from './sign-out.page.js';

/** Signing out of this browser, asked by the person or by an app. */
@Injectable()
export class SignOutService {
  private readonly redirectUriCipher: AesGcmCipher;

  constructor(
    private readonly sessions: SessionsService,
    settings: Settings,
  ) {
    this.redirectUriCipher = new AesGcmCipher(settings.MASTER_SECRET, 'sign-out');
  }

  /** Asks the person whether to. */
  renderConfirmation(ui: ViewContext, asked?: SignOutRequest): View {
    return renderSignOutPage(ui, asked, asked?.redirectUri && this.redirectUriCipher.encrypt(asked.redirectUri));
  }

  /** Signs out after the person said yes. @param sealed what their form held of where to go on to */
  async confirm(ui: ViewContext, session: Session | null, sealed: string | null): Promise<View | Redirect> {
    return this.signOut(ui, session, this.redirectUriCipher.decrypt(sealed ?? ''));
  }

  /** Signs out, and goes on. */
  async signOut(ui: ViewContext, session: Session | null, onward: string | undefined): Promise<View | Redirect> {
    const cookies = [await this.sessions.end(session)];
    if (onward !== undefined) return new Redirect(onward, cookies);
    ui.viewer = undefined;
    return { ...renderSignedOutPage(ui), cookies };
  }
}
