import { idSchema } from '../../platform/database/id-schema.js';
import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';

/** The public part of an account. */
@ApiSchema('Person', 'A person of the map.')
export class PersonResponse {
  @ResponseField(idSchema('usr'))
  id!: string;

  @ResponseField(stringSchema('By which the others know them.', 'mila'))
  username!: string;
}

/** Maps an account to its public part. */
export function toPersonResponse({ id, username }: PersonResponse): PersonResponse {
  return { id, username };
}
