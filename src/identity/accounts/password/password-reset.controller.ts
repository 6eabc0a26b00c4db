import { Body, Get, Post } from '@nestjs/common';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import {
  renderForgotPasswordPage,
  renderLinkSentPage,
  renderPasswordSetPage,
  renderResetPasswordPage,
} from './password-reset.page.js';
import { type FormState, toFormState } from '../../../platform/views/form-state.js';
import { AccountMailService } from '../account-mail.service.js';
import { renderRejectedLinkPage } from '../email-link.page.js';
import { InvalidLinkError } from '../email-tokens.service.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import type { Session } from '../sessions/session.entity.js';
import { PasswordResetService } from './password-reset.service.js';

/** The page to get a link that sets a new password. */
@PageController('forgot-password')
export class ForgotPasswordController {
  constructor(
    private readonly passwordReset: PasswordResetService,
    private readonly mail: AccountMailService,
  ) {}

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): View {
    return renderForgotPasswordPage(viewContext, this.mail.isAvailable, query.get('login_hint') ?? '');
  }

  @Post()
  async submit(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View> {
    if (!this.mail.isAvailable) return renderForgotPasswordPage(viewContext, false);
    await this.passwordReset.requestLink((form.get('username') ?? '').trim());
    return renderLinkSentPage(viewContext);
  }
}

/** The page of a link that sets a new password. Opening the link changes nothing. */
@PageController('reset-password')
export class ResetPasswordController {
  constructor(private readonly passwordReset: PasswordResetService) {}

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    return this.render(viewContext, query.get('token') ?? '');
  }

  @Post()
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    const token = form.get('token') ?? '';
    const reset = {
      password: form.get('password') ?? '',
      disconnectsApps: form.has('disconnect_apps'),
      removesPasskeys: form.has('remove_passkeys'),
    };
    return this.passwordReset.reset(token, reset).then(
      (account) => renderPasswordSetPage(viewContext, session?.accountId === account.id),
      (error: unknown) =>
        error instanceof InvalidLinkError
          ? renderRejectedLinkPage(viewContext, error, 'reset-password')
          : this.render(viewContext, token, toFormState(viewContext, form, error)),
    );
  }

  private render(viewContext: ViewContext, token: string, form?: FormState): Promise<View> {
    return this.passwordReset.findTarget(token).then(
      (target) => renderResetPasswordPage(viewContext, { target, token, form }),
      (error: unknown) => renderRejectedLinkPage(viewContext, error, 'reset-password'),
    );
  }
}
