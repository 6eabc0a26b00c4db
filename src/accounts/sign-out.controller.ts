import { Body, Get, Post } from '@nestjs/common';
import type { SeeOther } from '../http/see-other.js';
import { Public } from '../scopes/public.decorator.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { CurrentSession, PersonPage } from './page-person.js';
import type { Session } from './session.entity.js';
import { SignOutService } from './sign-out.service.js';

/** Signing out. A link alone signs nobody out: the page asks. */
@PersonPage('sign-out')
export class SignOutController {
  constructor(private readonly signOut: SignOutService) {}

  @Get()
  @Public('no-token')
  ask(@PageUi() ui: Ui): View {
    return this.signOut.ask(ui);
  }

  @Post()
  @Public('no-token')
  submit(
    @PageUi() ui: Ui,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    return this.signOut.confirm(ui, session, form.get('onward'));
  }
}
