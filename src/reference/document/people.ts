import { idOf, record, text } from './schema.js';

export const PERSON = record<{ id: string; username: string }>('Person', 'A person of the map.', {
  id: idOf('usr'),
  username: text('By which the others know them.', 'mila'),
});
