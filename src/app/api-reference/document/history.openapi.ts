import type { FieldChange } from '../../../map/history/entity-version.entity.js';
import type { VersionResponse } from '../../../map/history/history.dto.js';
import { PERSON } from './person.openapi.js';
import {
  idSchema,
  arraySchema,
  dateTimeSchema,
  registerSchema,
  nullable,
  enumSchema,
  registerObjectSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';

export const FIELD_VALUE = registerSchema('FieldValue', {
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

export const CHANGE_PROPERTIES = {
  field: stringSchema('The name of the field.', 'address'),
  from: FIELD_VALUE,
  to: FIELD_VALUE,
};

export const CHANGE = registerObjectSchema<FieldChange>(
  'Change',
  'A field as it was, and as it became or should become.',
  CHANGE_PROPERTIES,
);

export const VERSION = registerObjectSchema<VersionResponse>(
  'Version',
  'What came of an artwork or artist in a version.',
  {
    version: integerSchema('Counted from 1.', 4, 1),
    action: enumSchema(['created', 'changed', 'deleted', 'restored'], 'What was done.', 'changed'),
    changes: arraySchema(CHANGE, 'What it changed of the version before.'),
    editId: nullable(idSchema('edt', 'The edit that made it; none for what an operator brought in.')),
    author: nullable(PERSON),
    at: dateTimeSchema('When.'),
  },
);
