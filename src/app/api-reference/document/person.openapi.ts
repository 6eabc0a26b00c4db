import { idSchema, registerObjectSchema, stringSchema } from './json-schema.js';

export const PERSON = registerObjectSchema<{ id: string; username: string }>('Person', 'A person of the map.', {
  id: idSchema('usr'),
  username: stringSchema('By which the others know them.', 'mila'),
});
