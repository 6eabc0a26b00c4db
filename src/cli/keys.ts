import { Command } from 'commander';
import { KeyRotation } from '../keys/key-rotation.js';
import type { SigningKey } from '../keys/signing-key.entity.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { does } from './run.js';

export function keysCommand(): Command {
  return new Command('keys').description('signing keys').addCommand(list()).addCommand(rotate());
}

function list(): Command {
  const command = new Command('list').description('the keys that sign tokens, the newest first');
  return does(command, (app) => Promise.resolve(app.get(SigningKeys).list().map(shown)));
}

function rotate(): Command {
  const command = new Command('rotate')
    .description('new keys, which sign in a few seconds; those before them go when their last token has run out')
    .option('--now', 'for keys in wrong hands: those before go at once, and every access token with them');
  return does<{ now?: boolean }>(command, async (app, { now = false }) =>
    (await app.get(KeyRotation).rotate({ now })).map(shown),
  );
}

function shown({ kid, algorithm, createdAt }: Pick<SigningKey, 'kid' | 'algorithm' | 'createdAt'>): object {
  return { kid, algorithm, created_at: createdAt.toISOString() };
}
