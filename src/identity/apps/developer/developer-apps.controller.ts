import { Body, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, type FormState, toFieldErrors, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import type { AppWithSecret } from '../new-app.js';
import { type AppForm, AppFormPipe } from './app-form.pipe.js';
import { renderCredentialsPage, renderReplaceSecretPage } from './client-secret.page.js';
import { renderDeleteAppPage } from './delete-app.page.js';
import { renderDeveloperAppPage } from './developer-app.page.js';
import { buildDeveloperAppsPath } from './developer-components.js';
import { renderDeveloperAppsPage, renderNewAppPage, renderUnconfirmedPage } from './developer-apps.page.js';
import { DeveloperAppsService, NO_PREVIOUS_SECRET_TTL } from './developer-apps.service.js';
import { NewCredentialsService } from './new-credentials.service.js';

/** The pages on which a person registers and manages their apps. */
@AuthenticatedPageController('developer/apps')
export class DeveloperAppsController {
  constructor(
    private readonly apps: DeveloperAppsService,
    private readonly credentials: NewCredentialsService,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return renderDeveloperAppsPage(viewContext, await this.apps.list(account), query.has('deleted'));
  }

  @Get('new')
  showNewForm(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() session: Session): View {
    if (this.apps.mustConfirmEmail(session.account)) return renderUnconfirmedPage(viewContext);
    return renderNewAppPage(viewContext, { asksPassword: this.apps.asksPassword(session) });
  }

  @Post()
  register(
    @CurrentViewContext() viewContext: ViewContext,
    @Body(AppFormPipe) settings: AppForm,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.apps.register(session, settings, form.get('password')).then(
      (registered) => this.redirectToCredentials(viewContext, session, registered, true),
      (error: unknown) => {
        const fieldErrors = toFieldErrors(viewContext, error);
        return renderNewAppPage(viewContext, { settings, fieldErrors, asksPassword: this.apps.asksPassword(session) });
      },
    );
  }

  @Get(':id')
  async show(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View> {
    const app = await this.apps.getWithFailedCalls(session, id);
    return renderDeveloperAppPage(viewContext, { ...app, isSaved: query.has('saved') });
  }

  @Post(':id')
  updateSettings(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body(AppFormPipe) settings: AppForm,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.apps.updateSettings(session, id, settings, form.get('password')).then(
      () => new Redirect(`${buildDeveloperAppsPath(viewContext, id)}?saved`),
      async (error: unknown) => {
        const fieldErrors = toFieldErrors(viewContext, error);
        const app = await this.apps.getWithFailedCalls(session, id);
        const { listing } = app.app;
        return renderDeveloperAppPage(viewContext, { ...app, settings: { ...settings, listing }, fieldErrors });
      },
    );
  }

  /** Shows new credentials once. Afterward, the address leads to the page of the app. */
  @Get(':id/credentials')
  async showCredentials(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @Param('id') id: string,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    const app = await this.apps.getOwned(session.account, id);
    const credentials = this.credentials.read(request, session.digest, app);
    if (!credentials) return new Redirect(buildDeveloperAppsPath(viewContext, id));
    return {
      ...renderCredentialsPage(viewContext, app, credentials),
      cookies: [this.credentials.buildExpired(id)],
    };
  }

  @Post(':id/failed-calls')
  clearFailedCalls(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    return this.apps.clearFailedCalls(account, id).then(() => new Redirect(buildDeveloperAppsPath(viewContext, id)));
  }

  @Get(':id/secret')
  async showReplaceSecret(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() session: Session,
  ): Promise<View> {
    return this.renderReplaceSecret(viewContext, session, id, EMPTY_FORM_STATE);
  }

  @Post(':id/secret')
  rotateSecret(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    const keepOld = form.get('keepOld') ?? NO_PREVIOUS_SECRET_TTL;
    return this.apps.rotateSecret(session, id, keepOld, form.get('password')).then(
      (rotated) => this.redirectToCredentials(viewContext, session, rotated, false),
      (error: unknown) => this.renderReplaceSecret(viewContext, session, id, toFormState(viewContext, form, error)),
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

  @Get(':id/delete')
  async showDelete(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() session: Session,
  ): Promise<View> {
    return renderDeleteAppPage(viewContext, await this.apps.getToDelete(session, id), EMPTY_FORM_STATE);
  }

  @Post(':id/delete')
  delete(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.apps.delete(session, id, form.get('password')).then(
      () => new Redirect(`${buildDeveloperAppsPath(viewContext)}?deleted`),
      async (error: unknown) => {
        const state = toFormState(viewContext, form, error);
        return renderDeleteAppPage(viewContext, await this.apps.getToDelete(session, id), state);
      },
    );
  }

  private redirectToCredentials(
    viewContext: ViewContext,
    session: Session,
    { app: { id }, clientSecret }: AppWithSecret,
    isNewApp: boolean,
  ): Redirect {
    const cookie = this.credentials.issue(session.digest, { appId: id, clientSecret, isNewApp });
    return new Redirect(buildDeveloperAppsPath(viewContext, id, 'credentials'), [cookie]);
  }

  private async renderReplaceSecret(
    viewContext: ViewContext,
    session: Session,
    id: string,
    form: FormState,
  ): Promise<View> {
    const app = await this.apps.getConfidential(session.account, id);
    return renderReplaceSecretPage(viewContext, { app, form, asksPassword: this.apps.asksPassword(session) });
  }
}
