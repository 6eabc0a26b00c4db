import { Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { AuthenticatedPageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { ProfileService } from './profile.service.js';

/** The form on the profile page that removes the picture. */
@AuthenticatedPageController('account/profile/remove-picture')
export class RemovePictureController {
  constructor(private readonly profile: ProfileService) {}

  @Post()
  @Public('no-token')
  async removePicture(
    @CurrentViewContext() { basePath }: ViewContext,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    await this.profile.removePicture(account);
    return new Redirect(`${basePath}/account/profile?done=pictureRemoved`);
  }
}
