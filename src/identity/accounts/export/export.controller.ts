import { Body, Get, Post } from '@nestjs/common';
import { Download, type View } from '../../../platform/views/view.js';
import { EMPTY_FORM_STATE, toFormState } from '../../../platform/views/form-state.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import { AvailableWhenBlocked } from '../sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession } from '../sessions/page-controller.decorator.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';
import { renderExportPage } from './export.page.js';
import { ExportService } from './export.service.js';

/** The page on which a person downloads all data about them. */
@AuthenticatedPageController('account/export')
@AvailableWhenBlocked()
export class ExportController {
  constructor(
    private readonly exports: ExportService,
    private readonly passwords: PasswordConfirmationService,
  ) {}

  @Get()
  showForm(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() session: Session): View {
    return renderExportPage(viewContext, this.passwords.isRecent(session), EMPTY_FORM_STATE);
  }

  @Post()
  async download(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View | Download> {
    return this.createFile(session, form.get('password')).catch((error: unknown) =>
      renderExportPage(viewContext, false, toFormState(viewContext, form, error)),
    );
  }

  private async createFile(session: Session, password: string | null): Promise<Download> {
    await this.passwords.requireRecent(session, password);
    const content = JSON.stringify(await this.exports.export(session.accountId), null, 2);
    return new Download('street-art-map.json', 'application/json', `${content}\n`);
  }
}
