import { describe, expect, it } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TEST_SETTINGS } from '../support/test-settings.js';

/** A user namespace, which allows a mount without root. */
const USER_NAMESPACE_ARGS = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/**
 * Makes all mounted file systems read-only, except the folder `$1`, and runs the other arguments
 * without capabilities.
 */
const READ_ONLY_SCRIPT = `
  data="$1"
  shift
  mount --bind "$data" "$data"
  findmnt --noheadings --list --output TARGET | sort --reverse | while read -r target; do
    [ "$target" = "$data" ] || mount -o remount,bind,ro "$target" 2>/dev/null || true
  done
  if touch "$data/../writable" 2>/dev/null; then echo 'The root is writable.' >&2; exit 1; fi
  exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

describe('The service', () => {
  it('runs with a read-only root, without capabilities, and writes to its data folder only', async () => {
    const folder = await createTempFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    const prefix = ['unshare', ...USER_NAMESPACE_ARGS, '--mount', 'sh', '-ceu', READ_ONLY_SCRIPT, 'sh', data];
    const server = await ServerProcess.start(folder.path, TEST_SETTINGS, prefix);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await server.stop();
    await folder.remove();
  });
});
