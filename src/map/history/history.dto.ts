import type { FieldChange, EntityVersion, VersionAction } from './entity-version.entity.js';

/** A version of an artwork or artist, as apps read it: only what is public of the edit that made it. */
export interface VersionResponse {
  version: number;
  action: VersionAction;
  changes: FieldChange[];
  editId: string | null;
  author: { id: string; username: string } | null;
  at: string;
}

export function toVersionResponse({
  version,
  action,
  changes,
  editId,
  author,
  createdAt,
}: EntityVersion): VersionResponse {
  return {
    version,
    action,
    changes,
    editId,
    author: author && { id: author.id, username: author.username },
    at: createdAt.toISOString(),
  };
}
