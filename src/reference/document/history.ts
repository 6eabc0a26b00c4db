import type { Change } from '../../history/entity-version.entity.js';
import type { VersionResponse } from '../../history/history.dto.js';
import { PERSON } from './people.js';
import { idOf, listOf, moment, named, nullable, oneOf, record, text, whole } from './schema.js';

export const FIELD_VALUE = named('FieldValue', {
  description: 'What a field holds, as the artwork or artist itself shows it. `null` where it is empty.',
  anyOf: [
    { type: 'string', examples: ['Wolstraat 5, Halvenstad'] },
    { type: 'number' },
    { type: 'array', items: { type: 'string' } },
    {
      type: 'object',
      properties: { lat: { type: 'number' }, lon: { type: 'number' } },
      required: ['lat', 'lon'],
    },
    { type: 'null' },
  ],
});

export const CHANGE_MEMBERS = {
  field: text('The name of the field.', 'address'),
  from: FIELD_VALUE,
  to: FIELD_VALUE,
};

export const CHANGE = record<Change>('Change', 'A field as it was, and as it became or should become.', CHANGE_MEMBERS);

export const VERSION = record<VersionResponse>('Version', 'What came of an artwork or artist in a version.', {
  version: whole('Counted from 1.', 4, 1),
  action: oneOf(['created', 'changed', 'deleted', 'restored'], 'What was done.', 'changed'),
  changes: listOf(CHANGE, 'What it changed of the version before.'),
  editId: nullable(idOf('edt', 'The edit that made it; none for what an operator brought in.')),
  author: nullable(PERSON),
  at: moment('When.'),
});
