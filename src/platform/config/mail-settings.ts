/** One address without display name: characters that need quotes or brackets are not allowed. */
const ADDRESS = String.raw`[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+`;

const MAILBOX = new RegExp(
  String.raw`^(?:(?<name>[^<>"\p{Cc}]{0,100})<(?<inner>${ADDRESS})>|(?<plain>${ADDRESS}))$`,
  'u',
);

const MAX_ADDRESS_LENGTH = 254;

/** Message of the setting `SMTP_URL`. */
export const SMTP_URL_RULE =
  'must be an address such as smtp://user:password@mail.example.org:587 or smtps://mail.example.org. Percent-encode special characters of the password';

/** Message of the setting `MAIL_FROM`. */
export const MAIL_FROM_RULE = 'must be an e-mail address, such as map@example.org or Street art map <map@example.org>';

/** A mail server, as `SMTP_URL` describes it. */
export interface SmtpServerAddress {
  host: string;
  port: number;
  /** Whether the connection starts with TLS (RFC 8314); otherwise STARTTLS encrypts it. */
  isTls: boolean;
  credentials?: { user: string; password: string };
}

/** An e-mail address with its display name, which can be empty. */
export interface Mailbox {
  name: string;
  address: string;
}

/** Whether a text is a value of `SMTP_URL`. */
export function isSmtpUrl(text: string): boolean {
  try {
    parseSmtpUrl(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses `SMTP_URL`. The default port is 587 for `smtp` (RFC 6409) and 465 for `smtps` (RFC 8314).
 * @throws Error if it is invalid
 */
export function parseSmtpUrl(text: string): SmtpServerAddress {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isTls = protocol === 'smtps:';
  const hasOnlyServer = /^\/?$/.test(pathname) && search === '' && hash === '';
  if ((!isTls && protocol !== 'smtp:') || hostname === '' || !hasOnlyServer || port === '0')
    throw new Error('The value is not the URL of a mail server.');
  const [user, decodedPassword] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    isTls,
    ...(user !== '' && { credentials: { user, password: decodedPassword } }),
  };
}

/** Parses an e-mail address with or without a display name; undefined if it is invalid. */
export function parseMailbox(text: string): Mailbox | undefined {
  const { name = '', inner, plain } = MAILBOX.exec(text)?.groups ?? {};
  const address = inner ?? plain;
  return address === undefined || address.length > MAX_ADDRESS_LENGTH ? undefined : { name: name.trim(), address };
}
