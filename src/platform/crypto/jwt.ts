/** The members of a JOSE header that decide how a token is verified (RFC 7515 §4.1). */
export interface JwtHeader {
  kid?: unknown;
  typ?: unknown;
}

/** Returns the header of a JWT without verifying the token; undefined if it is not JSON. */
export function decodeJwtHeader(token: string): JwtHeader | undefined {
  return decodePart(token, 0);
}

/** Returns the claims of a JWT without verifying the token; undefined if they are not JSON. */
export function decodeJwtClaims(token: string): { iss?: unknown; aud?: unknown } | undefined {
  return decodePart(token, 1);
}

function decodePart(token: string, index: number): object | undefined {
  try {
    const part = token.split('.', 2)[index] ?? '';
    return (JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object | null) ?? undefined;
  } catch {
    return undefined;
  }
}
