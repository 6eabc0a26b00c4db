import { Body, Controller, Param, Post, type StreamableFile } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import {
  PictureFile,
  type PictureForm,
  PictureFormInterceptor,
  streamPicture,
} from '../../../platform/pictures/picture-form.interceptor.js';
import { toFieldErrors } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { renderDeveloperAppPage } from './developer-app.page.js';
import { buildDeveloperAppsPath } from './developer-components.js';
import { DeveloperAppsService } from './developer-apps.service.js';
import { AppIconsService } from '../app-icons.service.js';

/** The forms that upload and remove the icon of an app. */
@AuthenticatedPageController('developer/apps/:id/icon', PictureFormInterceptor)
export class AppIconController {
  constructor(private readonly apps: DeveloperAppsService) {}

  @Post()
  async upload(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @Body() form: PictureForm,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    return this.apps.replaceIcon(session.account, id, form).then(
      () => new Redirect(`${buildDeveloperAppsPath(viewContext, id)}?saved`),
      async (error: unknown) => {
        const fieldErrors = toFieldErrors(viewContext, error);
        return renderDeveloperAppPage(viewContext, {
          ...(await this.apps.getWithFailedCalls(session, id)),
          fieldErrors,
        });
      },
    );
  }

  @Post('remove')
  async remove(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    await this.apps.removeIcon(account, id);
    return new Redirect(`${buildDeveloperAppsPath(viewContext, id)}?saved`);
  }
}

/** Serves the uploaded icons of apps. */
@Controller('app-icons')
export class AppIconsController {
  constructor(private readonly icons: AppIconsService) {}

  @PictureFile()
  async get(@Param('id') id: string): Promise<StreamableFile> {
    return streamPicture(await this.icons.find(id));
  }
}
