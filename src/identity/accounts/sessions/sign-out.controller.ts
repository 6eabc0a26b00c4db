import { Body, Get, Post } from '@nestjs/common';
import type { Redirect } from '../../../platform/http/redirect.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from './page-controller.decorator.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignOutRedirectsService } from './sign-out-redirects.service.js';
import { renderSignOutPage, toSignedOutResponse } from './sign-out.page.js';

/** The page to sign out. A link only shows the page; its form signs out. */
@PageController('sign-out')
export class SignOutController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly redirects: SignOutRedirectsService,
  ) {}

  @Get()
  showConfirmation(@CurrentViewContext() viewContext: ViewContext): View {
    return renderSignOutPage(viewContext);
  }

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const redirectUri = this.redirects.decrypt(form.get('onward') ?? '');
    return toSignedOutResponse(viewContext, await this.sessions.end(session), redirectUri);
  }
}
