import { Injectable } from '@nestjs/common';
import { Download } from '../../../platform/views/view.js';
import { AccountExportService } from './account-export.service.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';

/** Creates the file with all data about the person of a session. */
@Injectable()
export class ExportService {
  constructor(
    private readonly exports: AccountExportService,
    private readonly passwords: PasswordConfirmationService,
  ) {}

  /**
   * Returns the export as a JSON file.
   * @throws InvalidFieldsError if the person authenticated more than 10 minutes ago and the
   * password is missing or wrong
   * @throws PageError 429 after too many wrong passwords
   */
  async download(session: Session, form: URLSearchParams): Promise<Download> {
    await this.passwords.requireRecent(session, form.get('password'));
    const content = JSON.stringify(await this.exports.export(session.accountId), null, 2);
    return new Download('street-art-map.json', 'application/json', `${content}\n`);
  }
}
