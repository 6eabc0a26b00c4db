import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { AuthenticatedPageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { PasskeysPageService } from './passkeys-page.service.js';

/** The page of the person's passkeys. */
@AuthenticatedPageController('account/passkeys')
export class PasskeysController {
  constructor(private readonly pages: PasskeysPageService) {}

  @Get()
  @Public('no-token')
  list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View> {
    return this.pages.list(viewContext, session, query.get('done'));
  }

  /** Without `credential`, the response contains the options for the device. */
  @Post()
  @Public('no-token')
  add(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() session: Session,
    @Body() form: URLSearchParams,
  ): Promise<View | Redirect> {
    return this.pages.add(viewContext, session, form);
  }

  @Post('remove')
  @Public('no-token')
  remove(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() session: Session,
    @Body() form: URLSearchParams,
  ): Promise<View | Redirect> {
    return this.pages.remove(viewContext, session, form);
  }
}
