import type { Language } from '../i18n/language.js';

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
