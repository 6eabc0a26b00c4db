import { Body, Get, Post } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { renderChangePasswordPage } from './change-password.page.js';
import { PasswordsService } from './passwords.service.js';

/** The page to change the password. */
@AuthenticatedPageController('account/password')
export class ChangePasswordController {
  private readonly accessTokenLifetimeMinutes: number;

  constructor(
    private readonly passwords: PasswordsService,
    settings: Settings,
  ) {
    this.accessTokenLifetimeMinutes = Math.ceil(settings.ACCESS_TOKEN_LIFETIME / 60);
  }

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): View {
    const { accessTokenLifetimeMinutes } = this;
    const isChanged = query.has('changed');
    return renderChangePasswordPage(viewContext, { form: EMPTY_FORM_STATE, isChanged, accessTokenLifetimeMinutes });
  }

  @Post()
  submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Redirect> {
    const { accessTokenLifetimeMinutes } = this;
    const change = {
      currentPassword: form.get('current_password'),
      newPassword: form.get('new_password') ?? '',
      disconnectsApps: form.has('disconnect_apps'),
    };
    return this.passwords.change(session, change).then(
      (cookie) => new Redirect(`${viewContext.basePath}/account/password?changed`, [cookie]),
      (error: unknown) =>
        renderChangePasswordPage(viewContext, {
          form: toFormState(viewContext, form, error),
          accessTokenLifetimeMinutes,
        }),
    );
  }
}
