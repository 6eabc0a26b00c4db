import { Injectable } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';
import { MAX_PASSKEYS, type NewPasskey, PasskeyRegistrationService } from './passkey-registration.service.js';
import { type PasskeysPageProps, renderPasskeysPage } from './passkeys.page.js';
import { PasskeysService } from './passkeys.service.js';

/** Handles the forms of the passkeys page. */
@Injectable()
export class PasskeysPageService {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly registration: PasskeyRegistrationService,
    private readonly passwordConfirmation: PasswordConfirmationService,
  ) {}

  /** Renders the page. @param done the change that just happened */
  async list(viewContext: ViewContext, session: Session, done: string | null): Promise<View> {
    return this.render(viewContext, session, { done });
  }

  /** Adds a passkey in two steps: first the options for the device, then its response. */
  async add(viewContext: ViewContext, session: Session, form: URLSearchParams): Promise<View | Redirect> {
    const credential = form.get('credential') ?? '';
    const newPasskey = parseForm(form);
    return this.handleForm(viewContext, session, form, async () => {
      if (credential === '') {
        const optionsJson = await this.registration.start(session, newPasskey, viewContext.messages.site);
        const formState = { ...EMPTY_FORM_STATE, values: { name: newPasskey.name } };
        return this.render(viewContext, session, { form: formState, optionsJson, asksPassword: false });
      }
      const outcome = await this.registration.finish(session, newPasskey, credential);
      if (outcome === 'added') return new Redirect(`${viewContext.basePath}/account/passkeys?done=added`);
      return this.render(viewContext, session, { isRejected: true, asksPassword: false });
    });
  }

  /** Removes a passkey. */
  async remove(viewContext: ViewContext, session: Session, form: URLSearchParams): Promise<View | Redirect> {
    return this.handleForm(viewContext, session, form, async () => {
      await this.passwordConfirmation.requireRecent(session, form.get('password'));
      await this.passkeys.remove(session.accountId, form.get('passkey') ?? '');
      return new Redirect(`${viewContext.basePath}/account/passkeys?done=removed`);
    });
  }

  /** A InvalidFieldsError is shown in the form. */
  private async handleForm(
    viewContext: ViewContext,
    session: Session,
    form: URLSearchParams,
    respond: () => Promise<View | Redirect>,
  ): Promise<View | Redirect> {
    return respond().catch((error: unknown) =>
      this.render(viewContext, session, { form: toFormState(viewContext, form, error) }),
    );
  }

  private async render(viewContext: ViewContext, session: Session, props: Partial<PasskeysPageProps>): Promise<View> {
    return renderPasskeysPage(viewContext, {
      form: EMPTY_FORM_STATE,
      asksPassword: !this.passwordConfirmation.isRecent(session),
      maxPasskeys: MAX_PASSKEYS,
      ...props,
      passkeys: await this.passkeys.list(session.accountId),
    });
  }
}

function parseForm(form: URLSearchParams): NewPasskey {
  return { name: (form.get('name') ?? '').normalize('NFC').trim(), password: form.get('password') };
}
