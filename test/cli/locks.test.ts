import { beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../support/cli.js';
import type { ResponseBody } from '../support/test-server.js';

describe('Locks by command', () => {
  const fixture = CliFixture.use();
  const marker = 'mrk_01JDEM00000000000000000010';
  const artist = 'art_01JDEM00000000000000000002';

  beforeAll(() => fixture.cli.run('demo'));

  it('lock and unlock a marker and an artist, and are audited once', async () => {
    for (const [command, id, type] of [
      ['markers', marker, 'marker'],
      ['artists', artist, 'artist'],
    ] as const) {
      for (const action of ['lock', 'lock', 'unlock', 'unlock', 'lock'] as const)
        expect(await fixture.cli.runJson(command, action, id)).toEqual({ id, locked: action === 'lock' });
      const events = ((await fixture.cli.runJson('audit')) as ResponseBody[])
        .filter(({ detail }) => detail === id)
        .map((event) => event.type as string);
      expect(events.sort()).toEqual([`${type}.locked`, `${type}.locked`, `${type}.unlocked`]);
    }
  });

  it('need the id of a target that is not deleted', async () => {
    await fixture.cli.expectFailure(1, /^The marker mrk_unknown does not exist\./, 'markers', 'lock', 'mrk_unknown');
    await fixture.cli.expectFailure(1, /^The artist mrk_\w+ does not exist\./, 'artists', 'lock', marker);
    const deleted = 'mrk_01JDEM00000000000000000060';
    await fixture.cli.expectFailure(1, /^The marker mrk_\w+ was deleted\./, 'markers', 'unlock', deleted);
    await fixture.cli.expectFailure(2, /^Missing required argument/, 'markers', 'lock');
  });
});
