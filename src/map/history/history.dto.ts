import type { FieldChange, EntityVersion, VersionAction } from './entity-version.entity.js';

/** A version of an artwork or artist, as apps read it: only the public members of its edit. */
export interface VersionResponse {
  version: number;
  action: VersionAction;
  changes: FieldChange[];
  editId: string | null;
  author: { id: string; username: string } | null;
  at: string;
}

/** Maps a version, loaded with its author, to its response. */
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
