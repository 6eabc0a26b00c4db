/** Our own secrets, by what they begin with, and JWTs, whole or cut. */
const SECRET_TOKENS = /(sam_(?:refresh|secret|code|session)_)[\w-]*|(?<![\w-])eyJ[\w-]*(?:\.[\w-]*){0,2}/g;

/** What a header of HTTP authentication holds. */
const HTTP_CREDENTIALS = /\b(Basic|Bearer) +[\w+/=.~-]{8,}/gi;

/** Members that hold secrets, of an address or form (encoded once more or not), or of JSON. */
const SECRET_PARAMETERS =
  /((?:^|[?&#\s"']|%3f|%26)(?:code|code_verifier|token|access_token|refresh_token|id_token|id_token_hint|client_secret|password|state)(?:=|%3d|\\*":\s*\\*"))(?:(?!%26)[^&#\s"\\])*/gi;

/** A text in which secrets are not to be read any more: what they are is left, and what they hold is not. */
export function redactSecrets(text: string): string {
  return text
    .replace(SECRET_TOKENS, (_, start: string | undefined) => `${start ?? 'eyJ'}[redacted]`)
    .replace(HTTP_CREDENTIALS, '$1 [redacted]')
    .replace(SECRET_PARAMETERS, '$1[redacted]');
}
