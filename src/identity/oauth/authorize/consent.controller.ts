import { Body, Post } from '@nestjs/common';
import { CurrentSession, PageController } from '../../accounts/session.guard.js';
import type { Session } from '../../accounts/session.entity.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthorizeService } from './authorize.service.js';

/** Where the consent page is answered; the authorization endpoint shows it. */
@PageController('consent')
export class ConsentController {
  constructor(private readonly authorizeService: AuthorizeService) {}

  @Post()
  @Public('no-token')
  submit(
    @CurrentViewContext() ui: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.authorizeService.submitConsent(ui, form, session);
  }
}
