import { Body, Controller, Get, Param, Post, type StreamableFile } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { buildExpiredLanguageCookie } from '../../../platform/i18n/request-language.js';
import {
  type PictureForm,
  PictureFormInterceptor,
  PictureFile,
  streamPicture,
} from '../../../platform/pictures/picture-form.interceptor.js';
import { toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { renderProfilePage, toProfileFormState } from './profile.page.js';
import { ProfileService } from './profile.service.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/** The page on which people change their name, picture and language. */
@AuthenticatedPageController('account/profile', PictureFormInterceptor)
export class ProfileController {
  constructor(
    private readonly profile: ProfileService,
    private readonly settings: Settings,
  ) {}

  @Get()
  show(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): View {
    return renderProfilePage(viewContext, { account, form: toProfileFormState(account), done: query.get('done') });
  }

  /** A saved language takes the place of the one that was chosen in this browser. */
  @Post()
  async save(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: PictureForm,
    @CurrentSession() { account }: Session,
  ): Promise<View | Redirect> {
    return this.profile.save(account, form).then(
      () =>
        new Redirect(`${viewContext.basePath}/account/profile?done=saved`, [buildExpiredLanguageCookie(this.settings)]),
      (error: unknown) =>
        renderProfilePage(viewContext, { account, form: toFormState(viewContext, form.fields, error) }),
    );
  }
}

/** The form on the profile page that removes the picture. */
@AuthenticatedPageController('account/profile/remove-picture')
export class RemovePictureController {
  constructor(private readonly profile: ProfileService) {}

  @Post()
  async removePicture(
    @CurrentViewContext() { basePath }: ViewContext,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    await this.profile.removePicture(account);
    return new Redirect(`${basePath}/account/profile?done=pictureRemoved`);
  }
}

/** Serves the uploaded pictures of accounts. */
@Controller('pictures')
export class PicturesController {
  constructor(private readonly pictures: ProfilePicturesService) {}

  @PictureFile()
  async get(@Param('id') id: string): Promise<StreamableFile> {
    return streamPicture(await this.pictures.find(id));
  }
}
