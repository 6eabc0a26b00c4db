import type { Page } from '../../http/paging.js';
import { flag, listOf, nullable, object, optional, record, type Schema, text, whole } from './schema.js';
import type { Told } from './validated.js';

const PAGE = record<Page<never>['page']>('PageInfo', 'Where in a list a page is.', {
  limit: whole('How many it holds at most.', 20, 1),
  nextCursor: nullable(text('What to send as `cursor` for the next page; `null` on the last.', 'WzE3MzI1LCJvYjMiXQ')),
  numberMatched: optional(whole('With `count=true`: how many there are, up to 10 000.', 42)),
  numberMatchedIsCapped: optional(flag('Whether there are more than that.', false)),
});

/** The page of something, as it stands in an answer. */
export const PAGE_MEMBER = { ...PAGE, description: 'Where in the list this page is.' };

/** A page of a list. */
export function pageOf(item: Schema): Schema {
  return object<Page<unknown>>('A page of a list.', { data: listOf(item), page: PAGE });
}

/** The same, where ids can be asked for. */
export function pageOrIds(item: Schema): Schema {
  return object<Page<unknown> & { missing?: string[] }>('A page of a list, or what was asked for by `ids`.', {
    data: listOf(item),
    page: PAGE,
    missing: optional(listOf(text('An id.', 'mrk_unknown'), 'Of the `ids`: those that are none, or were deleted.')),
  });
}

/** What is told of the parameters that every list takes. */
export const PAGING: { limit: Told; cursor: Told } = {
  limit: ['How many a page holds.', 20],
  cursor: ['The `nextCursor` of the page before, with the same filters and order.'],
};
