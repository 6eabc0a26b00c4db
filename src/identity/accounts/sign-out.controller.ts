import { Body, Get, Post } from '@nestjs/common';
import type { Redirect } from '../../platform/http/redirect.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { CurrentSession, PageController } from './session.guard.js';
import type { Session } from './session.entity.js';
import { SignOutService } from './sign-out.service.js';

/** Signing out. A link alone signs nobody out: the page asks. */
@PageController('sign-out')
export class SignOutController {
  constructor(private readonly signOut: SignOutService) {}

  @Get()
  @Public('no-token')
  showConfirmation(@CurrentViewContext() ui: ViewContext): View {
    return this.signOut.renderConfirmation(ui);
  }

  @Post()
  @Public('no-token')
  submit(
    @CurrentViewContext() ui: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.signOut.confirm(ui, session, form.get('onward'));
  }
}
