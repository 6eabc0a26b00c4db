import type { Language, Messages } from '../i18n/language.js';

/** The reason of a message. Each kind has its texts in `locales`. */
export type MailKind = Exclude<keyof Messages['mail'], 'greeting' | 'footer'>;

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
  /** URL of the button. Without it, the message has no button. */
  link?: string;
  /** Whether the person must do nothing. The button then follows the advice for strangers. */
  isNotice?: boolean;
}

/** A rendered message, which is the same in each attempt. */
export interface OutgoingMessage {
  /** `Message-ID` (RFC 5322 §3.6.4), by which a mail server can detect a second delivery. */
  messageId: string;
  /** Address of the recipient. */
  to: string;
  language: Language;
  subject: string;
  text: string;
  html: string;
}
