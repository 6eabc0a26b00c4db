import { applyDecorators } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { IsCsvArray } from './query-values.decorator.js';
import { RenderedJson } from '../http/rendered-json.js';
import { getApiFields, RequestField } from '../openapi/api-schema.decorator.js';
import type { DtoClass } from '../openapi/json-schema.js';

const SELECTED_DTO_METADATA = Symbol('selected-dto');

/**
 * Declares the query parameter `fields`: the members of the response that the app needs. An unknown
 * or empty name is rejected.
 * @param dto the response of one item, with all members
 */
export function FieldsParam(dto: DtoClass, example: string[]): PropertyDecorator {
  const names = [...getApiFields(dto).keys()];
  return applyDecorators(
    RequestField(
      'Members of the response: only these are in it. The default is all members. Pages of a list may have different fields.',
      example,
    ),
    IsOptional(),
    IsCsvArray(names.length),
    IsIn(names, { each: true }),
    Reflect.metadata(SELECTED_DTO_METADATA, dto),
  );
}

/** Returns the class whose members the parameter `fields` of a query selects. */
export function getSelectedDto(query: DtoClass): DtoClass | undefined {
  return Reflect.getMetadata(SELECTED_DTO_METADATA, query.prototype as object, 'fields') as DtoClass | undefined;
}

/** An item of a response, or some of its members. */
type Selected<Item> = Item extends RenderedJson<infer Body> ? Item | Partial<Body> : Partial<Item>;

/**
 * Returns an item with the requested members only, in the order of the item.
 * @param fields the parameter `fields`; undefined for all members
 */
export function pickFields<Item extends object>(item: Item, fields: string[] | undefined): Selected<Item> {
  if (!fields) return item as Selected<Item>;
  const whole: object = item instanceof RenderedJson ? (item.parse() as object) : item;
  const members = Object.entries(whole) as [string, unknown][];
  return Object.fromEntries(members.filter(([name]) => fields.includes(name))) as Selected<Item>;
}

/** Returns a page of a list whose items have the requested members only. */
export function pickFieldsOfItems<Item extends object, List extends { data: Item[] }>(
  list: List,
  fields: string[] | undefined,
): Omit<List, 'data'> & { data: Selected<List['data'][number]>[] } {
  return { ...list, data: list.data.map((item) => pickFields(item, fields)) };
}
