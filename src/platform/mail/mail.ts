import type { Language } from '../i18n/language.js';

/** The reason of a message. Each kind has its texts in `src/platform/i18n`. */
export type MailKind =
  | 'confirmEmail'
  | 'resetPassword'
  | 'passwordChanged'
  | 'emailChanged'
  | 'emailTaken'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'newSignIn'
  | 'appConnected'
  | 'secretReplaced'
  | 'accountDeleted';

/** A message to a person. */
export interface Mail {
  kind: MailKind;
  /** `accountId` connects a waiting message with its account, so that both can be deleted. */
  recipient: { accountId: string | null; email: string; name: string };
  language: Language;
  /**
   * Values of the placeholders in the texts, for example `{app}`. `{name}` is the recipient's name
   * by default. A paragraph is left out if a placeholder has no value. `time` is an ISO 8601 time.
   */
  values?: Record<string, string>;
  /** URL of the button. Without it, the button of a notice leads to a page of this service. */
  link?: string;
}
