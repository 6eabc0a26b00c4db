import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';

/** The body of an error response of the token and revocation endpoints (RFC 6749 §5.2). */
@ApiSchema('OAuthError', 'An error of the token or revocation endpoint (RFC 6749 §5.2).')
export class OAuthErrorResponse {
  @ResponseField(stringSchema('Error code for programs (RFC 6749 §5.2).', 'invalid_grant'))
  error!: string;

  @ResponseField(
    stringSchema(
      'Cause of the error, for the developer of the app. The wording can change.',
      'refresh_token has expired. The person must authorize again.',
    ),
  )
  error_description!: string;
}
