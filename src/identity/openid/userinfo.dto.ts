import { idSchema } from '../../platform/database/id-schema.js';
import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { booleanSchema, integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';

/** The claims about a person that the scopes of an app allow (OpenID Connect Core §5.1). */
@ApiSchema('Userinfo', 'What the app may know of the person (OpenID Connect Core §5.1).')
export class UserinfoResponse {
  @ResponseField(idSchema('usr', 'Who it is. Know people by this; all else may change.'))
  sub!: string;

  @OptionalResponseField(stringSchema('With `profile`.', 'Mila Horvat'))
  name?: string;

  @OptionalResponseField(stringSchema('With `profile`: by which the others know them.', 'mila'))
  preferred_username?: string;

  @OptionalResponseField(stringSchema('With `profile`, where there is one.', 'https://images.example/mila.jpg'))
  picture?: string;

  @OptionalResponseField(
    integerSchema('With `profile`: when any of it changed last, in seconds since 1970.', 1_763_625_600),
  )
  updated_at?: number;

  @OptionalResponseField(stringSchema('With `email`.', 'mila@example.org'))
  email?: string;

  @OptionalResponseField(booleanSchema('With `email`.', true))
  email_verified?: boolean;
}
