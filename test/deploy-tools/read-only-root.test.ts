import { describe, expect, it } from '@jest/globals';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TEST_SETTINGS } from '../support/test-settings.js';

/** User and group of the image. */
const USER_ID = 1000;

/** Makes all mounted file systems read-only, except `$1`, and runs the other arguments. */
const READ_ONLY_SCRIPT = `
  mount --bind "$1" "$1"
  findmnt --noheadings --list --output TARGET | sort --reverse | while read -r target; do
    [ "$target" = "$1" ] || mount -o remount,bind,ro "$target" 2>/dev/null || true
  done
  if touch /tmp/street-art-writable 2>/dev/null; then echo 'The root is writable.' >&2; exit 1; fi
  cd "$1" && shift
  exec setpriv --reuid=${USER_ID} --regid=${USER_ID} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

describe('The service', () => {
  it('runs with a read-only root, without capabilities, and writes to its data folder only', async () => {
    const folder = await createTempFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    for (const path of [folder.path, data]) await chown(path, USER_ID, USER_ID);
    const prefix = ['unshare', '--mount', 'sh', '-ceu', READ_ONLY_SCRIPT, 'sh', folder.path];
    const environment = {
      ...TEST_SETTINGS,
      NODE_ENV: 'production',
      MASTER_SECRET: 'f1a9'.repeat(4) + '0b3c78d2e5f64a19'.repeat(2),
    };
    const server = await ServerProcess.start(folder.path, environment, prefix);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await server.stop();
    await folder.remove();
  });
});
