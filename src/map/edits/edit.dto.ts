import type { Caller } from '../../identity/scopes/caller.decorator.js';
import type { FieldChange } from '../history/entity-version.entity.js';
import type { Edit, EditStatus, EditType, TargetType } from './edit.entity.js';

type PersonSummary = { id: string; username: string };

/** An edit, as apps read it. */
export interface EditResponse {
  id: string;
  type: EditType;
  status: EditStatus;
  targetType: TargetType;
  targetId: string | null;
  baseVersion: number | null;
  regionId: string | null;
  changes: FieldChange[];
  comment: string | null;
  sourceUrl: string | null;
  author: PersonSummary;
  client: { id: string; name: string };
  createdAt: string;
  decidedAt: string | null;
  decidedBy: PersonSummary | null;
  decisionComment: string | null;
  resultVersion: number | null;
  supersedes: string | null;
  reverts: string | null;
  revertedBy: string | null;
}

/** Response of a write: id, status and versions; the full edit only if the app may read edits. */
export type EditWriteResponse = Pick<EditResponse, 'id' | 'status' | 'targetId' | 'resultVersion'> &
  Partial<EditResponse>;

/** Maps an edit, loaded with author, app and reviewer, to its response. */
export function toEditResponse(edit: Edit): EditResponse {
  const { id, type, status, targetType, targetId, baseVersion, regionId, changes, comment, sourceUrl } = edit;
  const { decisionComment, resultVersion, supersedes, reverts, revertedBy } = edit;
  return {
    id,
    type,
    status,
    targetType,
    targetId,
    baseVersion,
    regionId,
    changes,
    comment,
    sourceUrl,
    author: toPersonSummary(edit.author),
    client: { id: edit.app.id, name: edit.app.name },
    createdAt: edit.createdAt.toISOString(),
    decidedAt: edit.decidedAt?.toISOString() ?? null,
    decidedBy: edit.decidedBy && toPersonSummary(edit.decidedBy),
    decisionComment,
    resultVersion,
    supersedes,
    reverts,
    revertedBy,
  };
}

/**
 * Maps an edit to the response of a write. Without `edits:read` it contains ids, status and
 * versions only, so that the scopes for writing and reviewing do not grant reading.
 */
export function toEditWriteResponse(caller: Caller, edit: Edit): EditWriteResponse {
  if (caller.scopes.has('edits:read')) return toEditResponse(edit);
  const { id, status, targetId, resultVersion } = edit;
  return { id, status, targetId, resultVersion };
}

function toPersonSummary({ id, username }: PersonSummary): PersonSummary {
  return { id, username };
}
