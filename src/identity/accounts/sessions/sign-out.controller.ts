import { Body, Get, Post } from '@nestjs/common';
import type { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from './current-session.decorator.js';
import { PageController } from './page-controller.decorator.js';
import type { Session } from './session.entity.js';
import { SignOutService } from './sign-out.service.js';

/** The page to sign out. A link only shows the page; its form signs out. */
@PageController('sign-out')
export class SignOutController {
  constructor(private readonly signOut: SignOutService) {}

  @Get()
  @Public('no-token')
  showConfirmation(@CurrentViewContext() viewContext: ViewContext): View {
    return this.signOut.renderConfirmation(viewContext);
  }

  @Post()
  @Public('no-token')
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.signOut.confirm(viewContext, session, form.get('onward'));
  }
}
