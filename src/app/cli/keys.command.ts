import { Command } from 'commander';
import { KeyRotationService } from '../../identity/keys/key-rotation.service.js';
import type { SigningKey } from '../../identity/keys/signing-key.entity.js';
import { SigningKeysService } from '../../identity/keys/signing-keys.service.js';
import { appCommand } from './command-runner.js';

export function buildKeysCommand(): Command {
  return new Command('keys')
    .description('signing keys')
    .addCommand(buildListCommand())
    .addCommand(buildRotateCommand());
}

function buildListCommand(): Command {
  const command = new Command('list').description('the keys that sign tokens, the newest first');
  return appCommand(command, (app) => Promise.resolve(app.get(SigningKeysService).list().map(toKeyOutput)));
}

function buildRotateCommand(): Command {
  const command = new Command('rotate')
    .description('new keys, which sign in a few seconds; those before them go when their last token has run out')
    .option('--now', 'for keys in wrong hands: those before go at once, and every access token with them');
  return appCommand<{ now?: boolean }>(command, async (app, { now = false }) =>
    (await app.get(KeyRotationService).rotate({ retireExisting: now })).map(toKeyOutput),
  );
}

function toKeyOutput({ kid, algorithm, createdAt }: Pick<SigningKey, 'kid' | 'algorithm' | 'createdAt'>): object {
  return { kid, algorithm, created_at: createdAt.toISOString() };
}
