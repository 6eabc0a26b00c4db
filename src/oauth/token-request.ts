import { Field } from './oauth-request.pipe.js';

/** How an app says who it is in a body (RFC 6749 §2.3.1). */
export class AppCredentialsRequest {
  @Field()
  client_id?: string;

  @Field()
  client_secret?: string;
}

/** The fields of all grants of the token endpoint; each grant says which it requires. */
export class TokenRequest extends AppCredentialsRequest {
  @Field()
  grant_type?: string;

  @Field()
  code?: string;

  @Field()
  redirect_uri?: string;

  @Field()
  code_verifier?: string;

  @Field()
  refresh_token?: string;

  @Field()
  scope?: string;
}

/** RFC 7009 §2.1. A hint of the token's type is not needed, and so not read. */
export class RevokeRequest extends AppCredentialsRequest {
  @Field()
  token?: string;
}
