/** Our own secrets, by what they begin with, and JWTs, whole or cut. */
const SECRETS = /(sam_(?:refresh|secret|code|session)_)[\w-]*|(?<![\w-])eyJ[\w-]*(?:\.[\w-]*){0,2}/g;

/** What a header of HTTP authentication holds. */
const CREDENTIALS = /\b(Basic|Bearer) +[\w+/=.~-]{8,}/gi;

/** Members that hold secrets, of an address or form (encoded once more or not), or of JSON. */
const MEMBERS =
  /((?:^|[?&#\s"']|%3f|%26)(?:code|code_verifier|token|access_token|refresh_token|id_token|id_token_hint|client_secret|password|state)(?:=|%3d|\\*":\s*\\*"))(?:(?!%26)[^&#\s"\\])*/gi;

/** A text in which secrets are not to be read any more: what they are is left, and what they hold is not. */
export function redacted(text: string): string {
  return text
    .replace(SECRETS, (_, start: string | undefined) => `${start ?? 'eyJ'}[redacted]`)
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(MEMBERS, '$1[redacted]');
}
