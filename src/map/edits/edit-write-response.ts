import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { toEditResponse, type EditWriteResponse } from './edit.dto.js';
import type { Edit } from './edit.entity.js';

/** What a write answers, so that a scope to write or review is no back door for reading. */
export function toEditWriteResponse(caller: Caller, edit: Edit): EditWriteResponse {
  if (caller.scopes.has('edits:read')) return toEditResponse(edit);
  const { id, status, targetId, resultVersion } = edit;
  return { id, status, targetId, resultVersion };
}
