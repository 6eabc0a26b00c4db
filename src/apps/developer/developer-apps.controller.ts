import { Body, Get, Param, Post } from '@nestjs/common';
import { CurrentSession, SignedInPage } from '../../accounts/page-person.js';
import type { Session } from '../../accounts/session.entity.js';
import { SearchParams } from '../../http/search-params.js';
import { SeeOther } from '../../http/see-other.js';
import { Public } from '../../scopes/public.decorator.js';
import { problemsOf } from '../../views/field.js';
import { PageUi, type Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { appPage, appsPage, developerPath, newAppPage, secretPage } from './developer-apps.pages.js';
import { DeveloperAppsService } from './developer-apps.service.js';
import { readSettingsForm } from './settings-form.js';

/** The pages of whoever builds apps. */
@SignedInPage('developer/apps')
export class DeveloperAppsController {
  constructor(private readonly apps: DeveloperAppsService) {}

  @Get()
  @Public('no-token')
  async list(@PageUi() ui: Ui, @CurrentSession() { account }: Session): Promise<View> {
    return appsPage(ui, await this.apps.list(account));
  }

  @Get('new')
  @Public('no-token')
  create(@PageUi() ui: Ui): View {
    return newAppPage(ui);
  }

  @Post()
  @Public('no-token')
  register(@PageUi() ui: Ui, @Body() form: URLSearchParams, @CurrentSession() { account }: Session): Promise<View> {
    const given = readSettingsForm(form);
    return this.apps.register(account, given).then(
      (made) => secretPage(ui, made, true),
      (error: unknown) => newAppPage(ui, given, problemsOf(ui, error)),
    );
  }

  @Get(':id')
  @Public('no-token')
  async show(
    @PageUi() ui: Ui,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return appPage(ui, { ...(await this.apps.show(account, id)), isSaved: query.has('saved') });
  }

  @Post(':id')
  @Public('no-token')
  async change(
    @PageUi() ui: Ui,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View | SeeOther> {
    const settings = readSettingsForm(form);
    return this.apps.change(account, id, settings).then(
      () => new SeeOther(`${developerPath(ui, id)}?saved`),
      async (error: unknown) => {
        const problems = problemsOf(ui, error);
        return appPage(ui, { ...(await this.apps.show(account, id)), settings, problems });
      },
    );
  }

  @Post(':id/secret')
  @Public('no-token')
  async rotateSecret(@PageUi() ui: Ui, @Param('id') id: string, @CurrentSession() { account }: Session): Promise<View> {
    return secretPage(ui, await this.apps.rotateSecret(account, id), false);
  }

  @Post(':id/disable')
  @Public('no-token')
  async disable(@PageUi() ui: Ui, @Param('id') id: string, @CurrentSession() { account }: Session): Promise<SeeOther> {
    await this.apps.disable(account, id);
    return new SeeOther(developerPath(ui, id));
  }

  @Post(':id/enable')
  @Public('no-token')
  async enable(@PageUi() ui: Ui, @Param('id') id: string, @CurrentSession() { account }: Session): Promise<SeeOther> {
    await this.apps.enable(account, id);
    return new SeeOther(developerPath(ui, id));
  }
}
