import { Body, Get, Param, Post } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { toFieldErrors } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../../accounts/account.entity.js';
import { AuthenticatedPageController, CurrentSession } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { type AppForm, AppFormPipe } from './app-form.pipe.js';
import { renderClientSecretPage, renderReplaceSecretPage } from './client-secret.page.js';
import { renderDeveloperAppPage } from './developer-app.page.js';
import { buildDeveloperAppsPath } from './developer-components.js';
import { renderDeveloperAppsPage, renderNewAppPage, renderUnconfirmedPage } from './developer-apps.page.js';
import { DeveloperAppsService, NO_PREVIOUS_SECRET_TTL } from './developer-apps.service.js';

/** The pages on which a person registers and manages their apps. */
@AuthenticatedPageController('developer/apps')
export class DeveloperAppsController {
  constructor(private readonly apps: DeveloperAppsService) {}

  @Get()
  async list(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() { account }: Session): Promise<View> {
    return renderDeveloperAppsPage(viewContext, await this.apps.list(account));
  }

  @Get('new')
  showNewForm(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() { account }: Session): View {
    return this.apps.mustConfirmEmail(account) ? renderUnconfirmedPage(viewContext) : renderNewAppPage(viewContext);
  }

  @Post()
  register(
    @CurrentViewContext() viewContext: ViewContext,
    @Body(AppFormPipe) form: AppForm,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return this.apps.register(account, form).then(
      (registered) => renderClientSecretPage(viewContext, registered, true),
      (error: unknown) => renderNewAppPage(viewContext, form, toFieldErrors(viewContext, error)),
    );
  }

  @Get(':id')
  async show(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const app = await this.apps.getWithFailedCalls(account, id);
    return renderDeveloperAppPage(viewContext, { ...app, isSaved: query.has('saved') });
  }

  @Post(':id')
  updateSettings(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body(AppFormPipe) settings: AppForm,
    @CurrentSession() { account }: Session,
  ): Promise<View | Redirect> {
    return this.apps.updateSettings(account, id, settings).then(
      () => new Redirect(`${buildDeveloperAppsPath(viewContext, id)}?saved`),
      (error: unknown) => this.renderRejectedForm(viewContext, account, id, error, settings),
    );
  }

  @Get(':id/secret')
  async showReplaceSecret(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return renderReplaceSecretPage(viewContext, await this.apps.getConfidential(account, id));
  }

  @Post(':id/secret')
  async rotateSecret(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return this.apps.rotateSecret(account, id, form.get('keepOld') ?? NO_PREVIOUS_SECRET_TTL).then(
      (rotated) => renderClientSecretPage(viewContext, rotated, false),
      (error: unknown) => this.renderRejectedSecret(viewContext, account, id, error),
    );
  }

  @Post(':id/disable')
  disable(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    return this.apps.disable(account, id).then(() => new Redirect(buildDeveloperAppsPath(viewContext, id)));
  }

  @Post(':id/enable')
  enable(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    return this.apps.enable(account, id).then(() => new Redirect(buildDeveloperAppsPath(viewContext, id)));
  }

  private async renderRejectedForm(
    viewContext: ViewContext,
    owner: Account,
    id: string,
    error: unknown,
    settings: AppForm,
  ): Promise<View> {
    const fieldErrors = toFieldErrors(viewContext, error);
    const app = await this.apps.getWithFailedCalls(owner, id);
    return renderDeveloperAppPage(viewContext, { ...app, settings, fieldErrors });
  }

  private async renderRejectedSecret(
    viewContext: ViewContext,
    owner: Account,
    id: string,
    error: unknown,
  ): Promise<View> {
    const fieldErrors = toFieldErrors(viewContext, error);
    return renderReplaceSecretPage(viewContext, await this.apps.getConfidential(owner, id), fieldErrors);
  }
}
