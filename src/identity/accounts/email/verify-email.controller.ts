import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import { renderEmailConfirmedPage, renderRejectedLinkPage, renderVerifyEmailPage } from './verify-email.page.js';
import { EmailAddressesService } from './email-addresses.service.js';

/**
 * The page of a link that confirms an e-mail address. Its form confirms; opening the link does not,
 * because scanners of mailboxes open links.
 */
@PageController('verify-email')
export class VerifyEmailController {
  constructor(private readonly emailAddresses: EmailAddressesService) {}

  @Get()
  @Public('no-token')
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    const token = query.get('token') ?? '';
    return this.emailAddresses.findEmail(token).then(
      (email) => renderVerifyEmailPage(viewContext, { email, token }),
      (error: unknown) => renderRejectedLinkPage(viewContext, error),
    );
  }

  @Post()
  @Public('no-token')
  submit(@CurrentViewContext() viewContext: ViewContext, @Body() form: URLSearchParams): Promise<View> {
    return this.emailAddresses.confirm(form.get('token') ?? '').then(
      (email) => renderEmailConfirmedPage(viewContext, email),
      (error: unknown) => renderRejectedLinkPage(viewContext, error),
    );
  }
}
