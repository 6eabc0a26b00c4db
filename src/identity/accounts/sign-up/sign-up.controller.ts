import { Body, Get, Post } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { RawQuery } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import { type NamedReturnTarget, ReturnTargetPipe } from '../return-target.pipe.js';
import type { Session } from '../sessions/session.entity.js';
import { renderSignUpPage } from './sign-up.page.js';
import { SignUpService } from './sign-up.service.js';

/** The page to create an account. It takes the query of the sign-in page. */
@PageController('sign-up')
export class SignUpController {
  constructor(private readonly signUp: SignUpService) {}

  @Get()
  showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @RawQuery(ReturnTargetPipe) returnTarget: NamedReturnTarget,
  ): View {
    return renderSignUpPage(viewContext, returnTarget, EMPTY_FORM_STATE);
  }

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @RawQuery(ReturnTargetPipe) returnTarget: NamedReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.signUp.signUp(form, session).then(
      (cookies) => new Redirect(returnTarget.returnTo, cookies),
      (error: unknown) => renderSignUpPage(viewContext, returnTarget, toFormState(viewContext, form, error)),
    );
  }
}
