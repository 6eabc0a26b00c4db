import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { AuthenticatedPageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { renderDeletionPage } from './deletion.page.js';
import { DeletionService } from './deletion.service.js';

/** The page on which a person deletes their account. */
@AuthenticatedPageController('account/delete')
export class DeletionController {
  constructor(private readonly deletion: DeletionService) {}

  @Get()
  @Public('no-token')
  async showForm(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() session: Session): Promise<View> {
    return renderDeletionPage(viewContext, await this.deletion.listOwnApps(session), EMPTY_FORM_STATE);
  }

  @Post()
  @Public('no-token')
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.deletion.delete(session, form, viewContext).catch(async (error: unknown) => {
      const state = toFormState(viewContext, form, error);
      return renderDeletionPage(viewContext, await this.deletion.listOwnApps(session), state);
    });
  }
}
