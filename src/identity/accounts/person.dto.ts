import { ID_PATTERNS, idSchema } from '../../platform/database/ids.js';
import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';
import type { Account } from './account.entity.js';

/** Username that responses show for a deleted account. No account can have it. */
export const DELETED_USERNAME = 'deleted';

/** Id and username under which responses show the person of a deleted account. */
const DELETED_PERSON: PersonResponse = { id: 'usr_deleted', username: DELETED_USERNAME };

const PERSON_ID_SCHEMA = {
  ...idSchema('usr', 'Id of the person. `usr_deleted` if the account was deleted.'),
  pattern: `${ID_PATTERNS.usr.source}|^usr_deleted$`,
};

/** The public part of an account. */
@ApiSchema('Person', 'The public part of an account.')
export class PersonResponse {
  @ResponseField(PERSON_ID_SCHEMA)
  id!: string;

  @ResponseField(stringSchema('Username on the map. `deleted` if the account was deleted.', 'mila'))
  username!: string;
}

/** Maps an account to its public part. All deleted accounts look the same. */
export function toPersonResponse({
  id,
  username,
  deletedAt,
}: Pick<Account, 'id' | 'username' | 'deletedAt'>): PersonResponse {
  return deletedAt ? DELETED_PERSON : { id, username };
}
