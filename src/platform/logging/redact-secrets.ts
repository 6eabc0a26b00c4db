/** Secrets of this service, by their prefix, and complete or truncated JWTs. */
const SECRET_TOKENS = /(sam_(?:refresh|secret|code|session|link|browser)_)[\w-]*|(?<![\w-])eyJ[\w-]*(?:\.[\w-]*){0,2}/g;

/** Credentials in a header of HTTP authentication. */
const HTTP_CREDENTIALS = /\b(Basic|Bearer) +[\w+/=.~-]{8,}/gi;

/** Parameters with secrets, in a URL or form (also percent-encoded twice), or in JSON. */
const SECRET_PARAMETERS =
  /((?:^|[?&#\s"']|%3f|%26)(?:code|code_verifier|token|access_token|refresh_token|id_token|id_token_hint|client_secret|password|state)(?:=|%3d|\\*":\s*\\*"))(?:(?!%26)[^&#\s"\\])*/gi;

/** Replaces the secrets in a text with `[redacted]`. Names and prefixes stay. */
export function redactSecrets(text: string): string {
  return text
    .replace(SECRET_TOKENS, (_, start: string | undefined) => `${start ?? 'eyJ'}[redacted]`)
    .replace(HTTP_CREDENTIALS, '$1 [redacted]')
    .replace(SECRET_PARAMETERS, '$1[redacted]');
}
