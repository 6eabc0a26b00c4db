import type { Language } from '../i18n/language.js';

/** The texts of a message, in the language of its reader. `button` is missing if there is none. */
export interface MailTexts {
  subject: string;
  text: string;
  detail?: string;
  button?: string;
  /** Advice for a reader who did not cause the message. */
  ifNotYou?: string;
  /** Label of the link that ends messages of this kind. */
  unsubscribe?: string;
}

/** A message to a person. */
export interface Mail {
  /** The reason of the message, by which messages are limited, counted and logged. */
  kind: string;
  /** `accountId` connects a waiting message with its account, so that both can be deleted. */
  recipient: { accountId: string | null; email: string; name: string };
  language: Language;
  texts: MailTexts;
  /**
   * Values of the placeholders in the texts, for example `{app}`. `{name}` is the recipient's name
   * by default. A paragraph is left out if a placeholder has no value. `time` is an ISO 8601 time.
   */
  values?: Record<string, string>;
  /** Lists in place of placeholders: one line for each item. */
  lists?: Record<string, string[]>;
  /** URL of the button. Without it, the message has no button. */
  link?: string;
  /** When the link expires, if it does. The message is not sent after that. */
  linkExpiresAt?: Date;
  /** URL of the page that ends messages of this kind (RFC 8058). */
  unsubscribeUrl?: string;
  /** Whether the person need not act. The button then follows the advice, not the text. */
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
  unsubscribeUrl?: string | undefined;
}
