import type { AccountData } from '../../identity/accounts/account-data.registry.js';
import { EntityVersion } from './entity-version.entity.js';
import type { HistoryService } from './history.service.js';

/**
 * Describes the versions of artworks and artists that a person's edits created. The rows never
 * change; responses show the author of a deleted account as deleted.
 */
export function describeHistoryData(history: HistoryService): AccountData {
  return {
    name: 'history',
    entities: [EntityVersion],
    export: async (accountId) => (await history.listByAuthor(accountId)).map(toVersionExport),
    delete: () => Promise.resolve(),
  };
}

function toVersionExport({ targetId, version, action, editId, createdAt }: EntityVersion): object {
  return { target: targetId, version, action, edit: editId, at: createdAt.toISOString() };
}
