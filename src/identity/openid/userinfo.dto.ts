import type { Account } from '../accounts/account.entity.js';
import { toPictureUrl } from '../accounts/profile/profile-picture.entity.js';
import type { Scope } from '../scopes/scopes.js';
import { idSchema } from '../../platform/database/ids.js';
import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { booleanSchema, integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';

/** The claims about a person that the scopes of an app allow (OpenID Connect Core §5.1). */
@ApiSchema('UserInfo', 'Claims about the person (OpenID Connect Core §5.1). The scopes of the token select them.')
export class UserinfoResponse {
  @ResponseField(idSchema('usr', 'Id of the person. It never changes; all other claims can change.'))
  sub!: string;

  @OptionalResponseField(stringSchema('Full name. Requires the scope `profile`.', 'Mila Horvat'))
  name?: string;

  @OptionalResponseField(stringSchema('Username on the map. Requires the scope `profile`.', 'mila'))
  preferred_username?: string;

  @OptionalResponseField(
    stringSchema(
      'URL of the profile picture, if there is one. A new picture has a new URL. Requires `profile`.',
      'https://images.example/mila.jpg',
    ),
  )
  picture?: string;

  @OptionalResponseField(
    stringSchema('Language that the person chose for the map, if they chose one. Requires `profile`.', 'en'),
  )
  locale?: string;

  @OptionalResponseField(
    integerSchema(
      'Time of the last change of the profile, in seconds since 1970-01-01 UTC. Requires `profile`.',
      1_763_625_600,
    ),
  )
  updated_at?: number;

  @OptionalResponseField(
    stringSchema('E-mail address, if the account has one. Requires the scope `email`.', 'mila@example.org'),
  )
  email?: string;

  @OptionalResponseField(booleanSchema('Whether the person confirmed the e-mail address. Requires `email`.', true))
  email_verified?: boolean;
}

/** Selects the claims about a person that the scopes allow (OpenID Connect Core §5.4). */
export function toUserinfoResponse(account: Account, scopes: ReadonlySet<Scope>, baseUrl: string): UserinfoResponse {
  return {
    sub: account.id,
    ...(scopes.has('profile') && {
      name: account.name,
      preferred_username: account.username,
      ...(account.picture !== null && { picture: toPictureUrl(baseUrl, account.picture) }),
      ...(account.language !== null && { locale: account.language }),
      updated_at: Math.floor(account.updatedAt.getTime() / 1000),
    }),
    ...(scopes.has('email') &&
      account.email !== null && { email: account.email, email_verified: account.emailVerifiedAt !== null }),
  };
}
