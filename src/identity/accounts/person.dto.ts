import { idSchema } from '../../platform/database/id-schema.js';
import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';

/** The public part of an account. */
@ApiSchema('Person', 'The public part of an account.')
export class PersonResponse {
  @ResponseField(idSchema('usr', 'Id of the person.'))
  id!: string;

  @ResponseField(stringSchema('Username on the map.', 'mila'))
  username!: string;
}

/** Maps an account to its public part. */
export function toPersonResponse({ id, username }: PersonResponse): PersonResponse {
  return { id, username };
}
