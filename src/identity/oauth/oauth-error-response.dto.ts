import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';

/** The body of an error response of the token and revocation endpoints (RFC 6749 §5.2). */
@ApiSchema('OAuthError', 'What went wrong, as OAuth says it.')
export class OAuthErrorResponse {
  @ResponseField(stringSchema('For your program.', 'invalid_grant'))
  error!: string;

  @ResponseField(stringSchema('For you: what to do next.', 'The refresh token has expired.'))
  error_description!: string;
}
