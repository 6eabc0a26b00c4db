import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import { renderForgotPasswordPage, renderLinkSentPage } from './forgot-password.page.js';
import { ForgotPasswordService } from './forgot-password.service.js';

/** The page to get a link that sets a new password. */
@PageController('forgot-password')
export class ForgotPasswordController {
  constructor(private readonly forgotPassword: ForgotPasswordService) {}

  @Get()
  @Public('no-token')
  showForm(@CurrentViewContext() viewContext: ViewContext): View {
    return renderForgotPasswordPage(viewContext, this.forgotPassword.isAvailable);
  }

  @Post()
  @Public('no-token')
  async submit(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View> {
    if (!this.forgotPassword.isAvailable) return this.showForm(viewContext);
    await this.forgotPassword.sendLink((form.get('username') ?? '').trim());
    return renderLinkSentPage(viewContext);
  }
}
