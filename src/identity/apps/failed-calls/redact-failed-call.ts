import { redactSecrets } from '../../../platform/logging/redact-secrets.js';

/** Characters that are invisible, or reorder the text after them. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** User name and password in a URI. */
const USERINFO = /(:\/\/)[^/?#@]*@/g;

const EMAIL_ADDRESSES = /[\w.+-]{1,64}(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/**
 * Parameters in the query or the fragment of a URI, also percent-encoded. The name and the equals
 * sign can be missing.
 */
const URI_PARAMETERS =
  /([?&#;]|%3f|%26|%23|%3b)((?:(?!%3f|%26|%23|%3b|%3d)[^=&#?;])*(?:=|%3d))?((?:(?!%26|%23|%3b)[^&#;])*)/gi;

/** A redacted secret without other text. It shows the kind of the secret. */
const REDACTED_VALUE = /^(?:sam_[a-z]+_|eyJ)?\[redacted\]…?$/;

/** Returns a text without secrets and invisible characters, at most `maxLength` characters long. */
export function redactText(text: string, maxLength: number): string {
  const truncated = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return redactSecrets(truncated.replace(INVISIBLE_CHARACTERS, '\u{fffd}'));
}

/**
 * Returns a sent value without secrets and personal data: without e-mail addresses and credentials,
 * and without values of URI parameters, unless an accepted value has the same parameter.
 */
export function redactSentValue(value: string, maxLength: number, acceptedValues: readonly string[]): string {
  return redactText(value, maxLength)
    .replace(URI_PARAMETERS, (parameter: string, start: string, name = '', content: string) => {
      const isKnown = !content || REDACTED_VALUE.test(content) || acceptedValues.some((uri) => uri.includes(parameter));
      return isKnown ? parameter : `${start}${name}[redacted]`;
    })
    .replace(USERINFO, '$1[redacted]@')
    .replace(EMAIL_ADDRESSES, '[redacted]');
}
