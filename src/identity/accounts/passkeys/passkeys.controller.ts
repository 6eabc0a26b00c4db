import { Body, Controller, Get, Header, Post, Req, StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { createReadStream } from 'node:fs';
import { Public } from '../../../platform/http/public.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { RawQuery, SearchParams } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AccountMailService } from '../account-mail.service.js';
import { type NamedReturnTarget, ReturnTargetPipe } from '../return-target.pipe.js';
import { AuthenticatedPageController, CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { PasskeyChallengesService } from '../sign-in/passkey-challenges.service.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import { toSignInResponse } from '../sign-in/sign-in.page.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import { type PasskeysPageProps, renderPasskeysPage } from './passkeys.page.js';
import { MAX_PASSKEYS, type NewPasskey, PasskeysService } from './passkeys.service.js';
import { PasskeysStore } from './passkeys.store.js';

/** The page of the person's passkeys. */
@AuthenticatedPageController('account/passkeys')
export class PasskeysController {
  constructor(
    private readonly store: PasskeysStore,
    private readonly passkeys: PasskeysService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly mail: AccountMailService,
  ) {}

  @Get()
  list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View> {
    return this.render(viewContext, session, { done: query.get('done') });
  }

  /**
   * Adds a passkey in two steps: without `credential`, the response contains the options for the
   * device; with it, the response of the device is verified.
   */
  @Post()
  async add(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() session: Session,
    @Body() form: URLSearchParams,
  ): Promise<View | Redirect> {
    const credential = form.get('credential') ?? '';
    const newPasskey = parseNewPasskey(form);
    return this.showErrors(viewContext, session, form, async () => {
      if (credential === '') {
        const optionsJson = await this.passkeys.start(session, newPasskey, viewContext.messages.site);
        const formState = { ...EMPTY_FORM_STATE, values: { name: newPasskey.name } };
        return this.render(viewContext, session, { form: formState, optionsJson, asksPassword: false });
      }
      const outcome = await this.passkeys.finish(session, newPasskey, credential);
      if (outcome === 'added') return new Redirect(`${viewContext.basePath}/account/passkeys?done=added`);
      return this.render(viewContext, session, { isRejected: true, asksPassword: false });
    });
  }

  @Post('remove')
  async remove(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() session: Session,
    @Body() form: URLSearchParams,
  ): Promise<View | Redirect> {
    return this.showErrors(viewContext, session, form, async () => {
      await this.passwordConfirmation.requireRecent(session, form.get('password'));
      await this.passkeys.remove(session.accountId, form.get('passkey') ?? '');
      return new Redirect(`${viewContext.basePath}/account/passkeys?done=removed`);
    });
  }

  /** Shows an InvalidFieldsError in the form. */
  private showErrors(
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
      isUnconfirmed: this.mail.checkConfirmed(session.account) !== null,
      ...props,
      passkeys: await this.store.list(session.accountId),
    });
  }
}

/** Takes the form of the sign-in page that the script fills with a passkey's response. */
@PageController('sign-in/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIn: PasskeySignInService,
    private readonly challenges: PasskeyChallengesService,
  ) {}

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @RawQuery(ReturnTargetPipe) returnTarget: NamedReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const binding = this.challenges.getSignInBinding(request);
    const result = await this.signIn.signIn(form.get('credential') ?? '', binding, session);
    const passkeyRequest = await this.challenges.createRequest(request);
    return toSignInResponse(viewContext, { username: '', returnTarget, passkeyRequest, result });
  }
}

/** Serves the script of the sign-in page and the passkeys page. */
@Controller('assets')
export class PasskeyAssetsController {
  @Get('passkeys.js')
  @Public('no-token')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getScript(): StreamableFile {
    return new StreamableFile(createReadStream(new URL('assets/passkeys.js', import.meta.url)));
  }
}

function parseNewPasskey(form: URLSearchParams): NewPasskey {
  return { name: (form.get('name') ?? '').normalize('NFC').trim(), password: form.get('password') };
}
