import { Body, Get, Post, UseInterceptors } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { BlockedAccountInterceptor } from '../sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { parseSentLink, renderChangeEmailPage } from './change-email.page.js';
import { AccountMailService } from '../account-mail.service.js';
import { renderRejectedLinkPage } from '../email-link.page.js';
import { EmailAddressesService, OtherAccountError } from './email-addresses.service.js';
import { EmailTakeBackService } from './email-take-back.service.js';
import { renderTakeBackEmailPage } from './take-back-email.page.js';
import { renderEmailConfirmedPage, renderEmailRejectedPage, renderVerifyEmailPage } from './verify-email.page.js';

/** The page of the e-mail address: its state, another confirmation link, and the change. */
@AuthenticatedPageController('account/email')
export class ChangeEmailController {
  constructor(
    private readonly emailAddresses: EmailAddressesService,
    private readonly mail: AccountMailService,
  ) {}

  @Get()
  showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): View {
    const { isAvailable } = this.mail;
    const sentLink = parseSentLink(query);
    return renderChangeEmailPage(viewContext, { account, isAvailable, sentLink, form: EMPTY_FORM_STATE });
  }

  @Post()
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    const email = (form.get('email') ?? '').trim();
    return this.emailAddresses.requestChange(session, email, form.get('password')).then(
      () => new Redirect(`${viewContext.basePath}/account/email?sent=change`),
      (error: unknown) =>
        renderChangeEmailPage(viewContext, {
          account: session.account,
          isAvailable: this.mail.isAvailable,
          form: toFormState(viewContext, form, error),
        }),
    );
  }

  @Post('send-again')
  async sendAgain(
    @CurrentViewContext() { basePath }: ViewContext,
    @CurrentSession() session: Session,
  ): Promise<Redirect> {
    const hasAddress = await this.emailAddresses.sendLinkAgain(session);
    return new Redirect(`${basePath}/account/email${hasAddress ? '?sent=confirmation' : ''}`);
  }
}

/**
 * The page of a link that confirms an e-mail address. Opening the link changes nothing, because
 * scanners of mailboxes open links.
 */
@PageController('verify-email')
export class VerifyEmailController {
  constructor(private readonly emailAddresses: EmailAddressesService) {}

  @Get()
  showForms(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    return this.render(viewContext, query.get('token') ?? '', session);
  }

  @Post()
  @UseInterceptors(BlockedAccountInterceptor)
  confirm(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    const token = form.get('token') ?? '';
    if (!session) return this.render(viewContext, token, null, 403);
    return this.emailAddresses.confirm(session, token).then(
      (email) => renderEmailConfirmedPage(viewContext, email),
      (error: unknown) =>
        error instanceof OtherAccountError
          ? this.render(viewContext, token, session, 403)
          : renderRejectedLinkPage(viewContext, error, 'verify-email'),
    );
  }

  /** Needs no session: the reader of the message may have no account. */
  @Post('reject')
  reject(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View> {
    return this.emailAddresses.reject(form.get('token') ?? '').then(
      (target) => renderEmailRejectedPage(viewContext, target),
      (error: unknown) => renderRejectedLinkPage(viewContext, error, 'verify-email'),
    );
  }

  private render(viewContext: ViewContext, token: string, session: Session | null, status?: number): Promise<View> {
    return this.emailAddresses.findTarget(token).then(
      (target) => renderVerifyEmailPage(viewContext, { target, token, accountId: session?.accountId, status }),
      (error: unknown) => renderRejectedLinkPage(viewContext, error, 'verify-email'),
    );
  }
}

/**
 * The page of a link that takes an old address back. It needs no session, because a thief may have
 * changed the password too.
 */
@PageController('take-back-email')
export class TakeBackEmailController {
  constructor(private readonly emailTakeBack: EmailTakeBackService) {}

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    const token = query.get('token') ?? '';
    return this.emailTakeBack.findTarget(token).then(
      (target) => renderTakeBackEmailPage(viewContext, target, token),
      (error: unknown) => renderRejectedLinkPage(viewContext, error, 'take-back-email'),
    );
  }

  @Post()
  submit(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View | Redirect> {
    return this.emailTakeBack.takeBack(form.get('token') ?? '').then(
      (path) => new Redirect(viewContext.basePath + path),
      (error: unknown) => renderRejectedLinkPage(viewContext, error, 'take-back-email'),
    );
  }
}
