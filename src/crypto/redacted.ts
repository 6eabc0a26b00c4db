/** Our own secrets, by what they begin with, and JWTs. */
const SECRETS = /(sam_(?:refresh|secret|code|session)_)[\w-]*|eyJ[\w-]*\.[\w-]*(?:\.[\w-]*)?/g;

/** Secrets that others would put into an address, or into a sentence with one. */
const PARAMETERS =
  /([?&#](?:code|token|access_token|refresh_token|id_token|client_secret|password|state)=)[^&#\s"\\]*/gi;

/** A text in which secrets are not to be read any more: what they are is left, and what they hold is not. */
export function redacted(text: string): string {
  return text
    .replace(SECRETS, (_, start: string | undefined) => `${start ?? 'eyJ'}[redacted]`)
    .replace(PARAMETERS, '$1[redacted]');
}
