import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { renderPasswordSetPage, renderRejectedResetPage, renderResetPasswordPage } from './reset-password.page.js';
import { ResetPasswordService } from './reset-password.service.js';

/** The page of a link that sets a new password. Opening the link changes nothing. */
@PageController('reset-password')
export class ResetPasswordController {
  constructor(private readonly resetPassword: ResetPasswordService) {}

  @Get()
  @Public('no-token')
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    return this.resetPassword.findAccount(query.get('token') ?? '').then(
      ({ username }) => renderResetPasswordPage(viewContext, { username, token: query.get('token')! }),
      (error: unknown) => renderRejectedResetPage(viewContext, query, error),
    );
  }

  @Post()
  @Public('no-token')
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    return this.resetPassword.reset(form.get('token') ?? '', form.get('password') ?? '').then(
      (account) => renderPasswordSetPage(viewContext, session?.accountId === account.id),
      (error: unknown) => renderRejectedResetPage(viewContext, form, error),
    );
  }
}
