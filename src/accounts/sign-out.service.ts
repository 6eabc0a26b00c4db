import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { SealedBox } from '../crypto/sealed-box.js';
import { SeeOther } from '../http/see-other.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { signedOutPage, signOutPage, type SignOutRequest } from './sign-out.page.js';

/** Signing out of this browser, asked by the person or by an app. */
@Injectable()
export class SignOutService {
  private readonly onward: SealedBox;

  constructor(
    private readonly sessions: SessionsService,
    settings: Settings,
  ) {
    this.onward = new SealedBox(settings.MASTER_SECRET, 'sign-out');
  }

  /** Asks the person whether to. */
  ask(ui: Ui, asked?: SignOutRequest): View {
    return signOutPage(ui, asked, asked?.onward && this.onward.seal(asked.onward));
  }

  /** Signs out after the person said yes. @param sealed what their form held of where to go on to */
  async confirm(ui: Ui, session: Session | null, sealed: string | null): Promise<View | SeeOther> {
    return this.end(ui, session, this.onward.open(sealed ?? ''));
  }

  /** Signs out, and goes on. */
  async end(ui: Ui, session: Session | null, onward: string | undefined): Promise<View | SeeOther> {
    const cookies = [await this.sessions.end(session)];
    if (onward !== undefined) return new SeeOther(onward, cookies);
    ui.viewer = undefined;
    return { ...signedOutPage(ui), cookies };
  }
}
