/** The answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** What the access token is good for, separated by spaces. */
  scope: string;
  /** Where `openid` was granted, at the exchange of a code only. */
  id_token?: string;
}
