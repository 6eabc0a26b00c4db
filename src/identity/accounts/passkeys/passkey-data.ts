import type { AccountData } from '../account-data.registry.js';
import { Passkey } from './passkey.entity.js';
import type { PasskeysService } from './passkeys.service.js';

/** Describes the passkeys of an account. The private keys are on the person's devices. */
export function describePasskeyData(passkeys: PasskeysService): AccountData {
  return {
    name: 'passkeys',
    entities: [Passkey],
    export: async (accountId) =>
      (await passkeys.list(accountId)).map(({ id, name, transports, backedUp, createdAt, lastUsedAt }) => ({
        id,
        name,
        transports,
        backed_up: backedUp,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => passkeys.deleteAll(tx, id),
  };
}
