import { Command } from 'commander';
import type { TargetType } from '../../../map/edits/edit.entity.js';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/locks.handlers.js');

/** Builds `lock` and `unlock` for markers or artists. */
export function buildLockCommands(type: TargetType, noun: 'marker' | 'artist'): Command[] {
  const lock = new Command('lock')
    .description(`Lock the ${noun}: only moderators can accept its edits`)
    .argument('<id>', `id of the ${noun}`);
  const unlock = new Command('unlock').description(`Unlock the ${noun}`).argument('<id>', `id of the ${noun}`);
  return [
    withHandler(lock, async () => (await loadHandlers()).createLockHandler(type, true)),
    withHandler(unlock, async () => (await loadHandlers()).createLockHandler(type, false)),
  ];
}
