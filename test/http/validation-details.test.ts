import type { Type } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';
import '../../src/app.module.js';
import { ArtistFields } from '../../src/map/artists/artist.dto.js';
import { AddCollectionItemsRequest, CreateCollectionRequest } from '../../src/map/collections/collection.dto.js';
import { SuggestEditRequest } from '../../src/map/edits/suggest/suggest-edit.dto.js';
import { EditViewsRequest } from '../../src/map/edits/view/edit-views.dto.js';
import { ArtworkFields } from '../../src/map/markers/marker.dto.js';
import { MarkersQuery } from '../../src/map/markers/markers-query.dto.js';
import { Settings } from '../../src/platform/config/settings.js';
import { DomainError } from '../../src/platform/errors/domain-error.js';
import type { ErrorDetail } from '../../src/platform/errors/request-errors.js';
import { ApiValidationPipe } from '../../src/platform/http/api-validation.pipe.js';
import { PageQuery } from '../../src/platform/validation/page-query.dto.js';

/** A rule of a member, in the storage of class-validator. */
type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Parts of the sentences that class-validator writes where a rule has no message. */
const DEFAULT_SENTENCE =
  /each value in|conforming to the specified|longer than or equal|shorter than or equal|must be (a|an) (number|integer number|string|array|object) (value|instance|conforming)|greater than|less than|one of the following|should not|must contain (at least|no more)|regular expression|All .*'s elements|undefined|null/;

/** Values that violate at least one rule of each kind. */
const UNUSUAL_VALUES = [
  ...[undefined, null, true, 0, -1, 1.5, 1e9, 1e308, NaN],
  ...['', ' ', '\u200b', 'a\0b', '\u202eabc', 'a\nb', 'a,b', 'x'.repeat(5000), 'http://example.org', 'https://', 'FI'],
  ...[{}, { lat: 91 }, { lat: 'x', lon: null }, { which: 1, colour: 2 }, [], [[]], [{}], [1, 1], [null, 7, '']],
  ...[['a', 'a'], ['mural', 'oil'], ['a\tb', '\u200b', 'a,b'], Array(101).fill('x'), [{ markerId: 5, colour: 1 }]],
];

/** The DTOs of requests and of their parts, as their rules name them. */
const DTOS = [
  ...(getMetadataStorage() as unknown as { validationMetadatas: Map<Type<object>, Rule[]> }).validationMetadatas.keys(),
].filter((dto) => dto !== Settings);

const pipe = new ApiValidationPipe();

/** Returns the details of the error with which the pipe rejects a body; none if it accepts it. */
async function validate(dto: Type<object>, body: unknown): Promise<ErrorDetail[]> {
  try {
    await pipe.transform(body, { type: 'body', metatype: dto });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details as ErrorDetail[];
  }
}

const toPaths = (details: ErrorDetail[]): string[] => details.map(({ path }) => path);

function listRules(dto: Type<object>): Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
}

describe('The details of an invalid request', () => {
  it.each(DTOS.map((dto) => [dto.name, dto] as const))(
    'of %s: are one sentence for each value, that begins with its path',
    async (_, dto) => {
      const names = [...new Set(listRules(dto).map(({ propertyName }) => propertyName)), 'colour'];
      const member = fc.oneof(fc.constantFrom<unknown>(...UNUSUAL_VALUES), fc.anything({ maxDepth: 2 }));
      const body = fc.record(Object.fromEntries(names.map((name) => [name, member])), { requiredKeys: [] });
      await fc.assert(
        fc.asyncProperty(body, async (value) => {
          const details = await validate(dto, value);
          expect(new Set(toPaths(details)).size).toBe(details.length);
          for (const { path, code, message } of details) {
            expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
            expect(message.replace(path, '')).not.toMatch(DEFAULT_SENTENCE);
            const start = code === 'unknown_member' ? `Unknown field: ${path}.` : `${path} `;
            expect({ path, start: message.slice(0, start.length) }).toEqual({ path, start });
            expect(message).toMatch(/\.$/);
          }
        }),
        { numRuns: 100, seed: 20261122 },
      );
    },
  );

  it('have a sentence for each rule without a message of its own', async () => {
    const names = DTOS.flatMap(listRules).flatMap(({ name, message }) => (name && message === undefined ? name : []));
    const seen = new Set<string>();
    for (const dto of DTOS) {
      for (const property of new Set(listRules(dto).map(({ propertyName }) => propertyName))) {
        for (const value of UNUSUAL_VALUES) {
          for (const { code } of await validate(dto, { [property]: value })) seen.add(code);
        }
      }
    }
    const toCode = (name: string): string => name.replace(/[A-Z]+/g, (upper) => `_${upper.toLowerCase()}`);
    expect(names.filter((name) => name !== 'isOptional' && !seen.has(toCode(name)))).toEqual([]);
  });

  it('report one problem per value: first its type, then its size, then its content', async () => {
    expect(await validate(CreateCollectionRequest, { name: 5 })).toEqual([
      { path: 'name', code: 'is_string', message: 'name must be a string.' },
    ]);
    expect(await validate(EditViewsRequest, { limit: 'x', ids: ['a'] })).toEqual([
      { path: 'limit', code: 'is_int', message: 'limit must be an integer from 1 to 100.' },
    ]);
    expect(await validate(PageQuery, { limit: '0' })).toEqual([
      { path: 'limit', code: 'min', message: 'limit must be an integer from 1 to 100.' },
    ]);
    expect(await validate(CreateCollectionRequest, { name: '\u202e'.repeat(200) })).toEqual([
      { path: 'name', code: 'length', message: 'name must have 1 to 100 characters.' },
    ]);
  });

  it('say that a required member is missing', async () => {
    expect(await validate(CreateCollectionRequest, {})).toEqual([
      { path: 'name', code: 'required', message: 'name is missing.' },
    ]);
  });

  it('name the position of an array item, and each item once', async () => {
    expect(await validate(ArtworkFields, { tags: ['fox', 'a,b', 'tram', 5, ''] })).toEqual([
      {
        path: 'tags.1',
        code: 'matches',
        message: 'tags.1 must not contain a comma. Send each tag as a separate item.',
      },
      { path: 'tags.3', code: 'is_string', message: 'tags.3 must be a string.' },
      { path: 'tags.4', code: 'length', message: 'tags.4 must have 1 to 40 characters.' },
    ]);
    expect(toPaths(await validate(ArtistFields, { aliases: Array(11).fill(5) }))).toEqual(['aliases']);
  });

  it('name a member of a nested object, and an object in place of it once', async () => {
    expect(await validate(ArtworkFields, { location: { lat: 91, lon: '5' } })).toEqual([
      { path: 'location.lat', code: 'max', message: 'location.lat must be a number from -90 to 90.' },
      { path: 'location.lon', code: 'is_number', message: 'location.lon must be a number from -180 to 180.' },
    ]);
    expect(await validate(ArtworkFields, { location: [1, 2] })).toEqual([
      { path: 'location', code: 'is_object', message: 'location must be an object.' },
    ]);
    const items = [{ markerId: 5 }, 7, null, [{ markerId: 'x' }], { markerId: 'x', colour: 1 }];
    expect(await validate(AddCollectionItemsRequest, { items })).toEqual([
      { path: 'items.1', code: 'is_object', message: 'items.1 must be an object.' },
      { path: 'items.2', code: 'is_object', message: 'items.2 must be an object.' },
      { path: 'items.3', code: 'is_object', message: 'items.3 must be an object.' },
      { path: 'items.0.markerId', code: 'is_string', message: 'items.0.markerId must be a string.' },
      { path: 'items.4.colour', code: 'unknown_member', message: 'Unknown field: items.4.colour.' },
    ]);
  });

  it('name a query parameter with a list by its name', async () => {
    expect(await validate(MarkersQuery, { kind: 'castle,artwork,castle,house' })).toEqual([
      { path: 'kind', code: 'is_in', message: 'kind must be one of: artwork, place.' },
    ]);
  });

  it('name an unknown member in the same way at every depth', async () => {
    expect(await validate(SuggestEditRequest, { type: 'create', targetType: 'artwork', colour: 'red' })).toEqual([
      { path: 'colour', code: 'unknown_member', message: 'Unknown field: colour.' },
    ]);
  });
});
