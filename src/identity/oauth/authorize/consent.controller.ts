import { Body, Post } from '@nestjs/common';
import { CurrentSession } from '../../accounts/sessions/current-session.decorator.js';
import { PageController } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { CurrentViewContext } from '../../../platform/views/view-context.decorator.js';
import type { View } from '../../../platform/views/view.js';
import { AuthorizeService } from './authorize.service.js';

/** Takes the form of the consent page, which the authorization endpoint renders. */
@PageController('consent')
export class ConsentController {
  constructor(private readonly authorizeService: AuthorizeService) {}

  @Post()
  @Public('no-token')
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.authorizeService.submitConsent(viewContext, form, session);
  }
}
