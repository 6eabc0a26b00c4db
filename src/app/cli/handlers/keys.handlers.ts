import { KeyRotationService } from '../../../identity/keys/key-rotation.service.js';
import { KeysModule } from '../../../identity/keys/keys.module.js';
import type { SigningKey } from '../../../identity/keys/signing-key.entity.js';
import { SigningKeysService } from '../../../identity/keys/signing-keys.service.js';
import { withApplication } from '../application-context.js';

/** Returns the signing keys, newest first. */
export function listKeys(): Promise<object[]> {
  return withApplication([KeysModule], (app) => Promise.resolve(app.get(SigningKeysService).list().map(toKeyOutput)));
}

/** Creates new signing keys. */
export function rotateKeys({ now = false }: { now?: boolean }): Promise<object[]> {
  return withApplication([KeysModule], async (app) =>
    (await app.get(KeyRotationService).rotate({ retireExisting: now })).map(toKeyOutput),
  );
}

function toKeyOutput({ kid, algorithm, createdAt }: Pick<SigningKey, 'kid' | 'algorithm' | 'createdAt'>): object {
  return { kid, algorithm, created_at: createdAt.toISOString() };
}
