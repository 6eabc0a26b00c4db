import { Body, Get, Post } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { parseSentLink, renderChangeEmailPage } from './change-email.page.js';
import { AccountMailService } from '../account-mail.service.js';
import { EmailAddressesService } from './email-addresses.service.js';
import { renderEmailConfirmedPage, renderRejectedLinkPage, renderVerifyEmailPage } from './verify-email.page.js';

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
    await this.emailAddresses.sendLinkAgain(session);
    return new Redirect(`${basePath}/account/email?sent=confirmation`);
  }
}

/**
 * The page of a link that confirms an e-mail address. Its form confirms; opening the link does not,
 * because scanners of mailboxes open links.
 */
@PageController('verify-email')
export class VerifyEmailController {
  constructor(private readonly emailAddresses: EmailAddressesService) {}

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    const token = query.get('token') ?? '';
    return this.emailAddresses.findEmail(token).then(
      (email) => renderVerifyEmailPage(viewContext, { email, token }),
      (error: unknown) => renderRejectedLinkPage(viewContext, error),
    );
  }

  @Post()
  submit(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View> {
    return this.emailAddresses.confirm(form.get('token') ?? '').then(
      (email) => renderEmailConfirmedPage(viewContext, email),
      (error: unknown) => renderRejectedLinkPage(viewContext, error),
    );
  }
}
