/** The members of a JOSE header that decide how a token is verified (RFC 7515 §4.1). */
export interface JwtHeader {
  kid?: unknown;
  typ?: unknown;
}

/** Returns the header of a JWT without verifying the token; undefined if it is not JSON. */
export function decodeJwtHeader(token: string): JwtHeader | undefined {
  try {
    const [header = ''] = token.split('.', 1);
    return (JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as JwtHeader | null) ?? undefined;
  } catch {
    return undefined;
  }
}
