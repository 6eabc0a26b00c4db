import { Body, Get, Param, Post } from '@nestjs/common';
import { CurrentSession, AuthenticatedPageController } from '../../accounts/session.guard.js';
import type { Session } from '../../accounts/session.entity.js';
import { SearchParams } from '../../../platform/http/search-params.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { toFieldErrors } from '../../../platform/views/form-field.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import {
  renderDeveloperAppPage,
  renderDeveloperAppsPage,
  buildDeveloperAppsPath,
  renderNewAppPage,
  renderClientSecretPage,
} from './developer-apps.page.js';
import { DeveloperAppsService } from './developer-apps.service.js';
import { parseAppSettingsForm } from './app-settings-form.js';

/** The pages of whoever builds apps. */
@AuthenticatedPageController('developer/apps')
export class DeveloperAppsController {
  constructor(private readonly apps: DeveloperAppsService) {}

  @Get()
  @Public('no-token')
  async list(@CurrentViewContext() ui: ViewContext, @CurrentSession() { account }: Session): Promise<View> {
    return renderDeveloperAppsPage(ui, await this.apps.list(account));
  }

  @Get('new')
  @Public('no-token')
  showNewForm(@CurrentViewContext() ui: ViewContext): View {
    return renderNewAppPage(ui);
  }

  @Post()
  @Public('no-token')
  register(
    @CurrentViewContext() ui: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const given = parseAppSettingsForm(form);
    return this.apps.register(account, given).then(
      (made) => renderClientSecretPage(ui, made, true),
      (error: unknown) => renderNewAppPage(ui, given, toFieldErrors(ui, error)),
    );
  }

  @Get(':id')
  @Public('no-token')
  async show(
    @CurrentViewContext() ui: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return renderDeveloperAppPage(ui, {
      ...(await this.apps.getWithFailedCalls(account, id)),
      isSaved: query.has('saved'),
    });
  }

  @Post(':id')
  @Public('no-token')
  async updateSettings(
    @CurrentViewContext() ui: ViewContext,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View | Redirect> {
    const settings = parseAppSettingsForm(form);
    return this.apps.updateSettings(account, id, settings).then(
      () => new Redirect(`${buildDeveloperAppsPath(ui, id)}?saved`),
      async (error: unknown) => {
        const problems = toFieldErrors(ui, error);
        return renderDeveloperAppPage(ui, {
          ...(await this.apps.getWithFailedCalls(account, id)),
          settings,
          fieldErrors: problems,
        });
      },
    );
  }

  @Post(':id/secret')
  @Public('no-token')
  async rotateSecret(
    @CurrentViewContext() ui: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return renderClientSecretPage(ui, await this.apps.rotateSecret(account, id), false);
  }

  @Post(':id/disable')
  @Public('no-token')
  async disable(
    @CurrentViewContext() ui: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    await this.apps.disable(account, id);
    return new Redirect(buildDeveloperAppsPath(ui, id));
  }

  @Post(':id/enable')
  @Public('no-token')
  async enable(
    @CurrentViewContext() ui: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    await this.apps.enable(account, id);
    return new Redirect(buildDeveloperAppsPath(ui, id));
  }
}
