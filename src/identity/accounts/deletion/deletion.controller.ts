import { Body, Get, Post } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { HtmlController } from '../../../platform/views/html-controller.decorator.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';
import { AvailableWhenBlocked } from '../sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import { renderDeletedPage, renderDeletionPage } from './deletion.page.js';
import { DeletionService } from './deletion.service.js';

/** The page on which a person deletes their account. */
@AuthenticatedPageController('account/delete')
@AvailableWhenBlocked()
export class DeletionController {
  constructor(
    private readonly deletion: DeletionService,
    private readonly passwords: PasswordConfirmationService,
    private readonly sessions: SessionsService,
    private readonly apps: AccountAppsRegistry,
  ) {}

  @Get()
  async showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    return renderDeletionPage(viewContext, await this.apps.listOwned(accountId), EMPTY_FORM_STATE);
  }

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.delete(viewContext, session, form.get('password')).catch(async (error: unknown) => {
      const state = toFormState(viewContext, form, error);
      return renderDeletionPage(viewContext, await this.apps.listOwned(session.accountId), state);
    });
  }

  private async delete(
    { basePath, language }: ViewContext,
    session: Session,
    password: string | null,
  ): Promise<Redirect> {
    await this.passwords.verify(session, password, 'password');
    await this.deletion.delete(session.account, language);
    return new Redirect(`${basePath}/account/deleted`, [await this.sessions.end(null)]);
  }
}

/** The page that confirms the deletion of an account. It needs no session. */
@HtmlController('account/deleted')
export class DeletedController {
  @Get()
  show(@CurrentViewContext() viewContext: ViewContext): View {
    return renderDeletedPage(viewContext);
  }
}
