import type { EditType, TargetType } from '../../map/edits/edit.entity.js';
import type { FieldValue } from '../../map/history/entity-version.entity.js';
import { findArtistId } from './artists.data.js';
import { buildDemoId } from './demo-id.js';
import { findMarkerId, SUGGESTED_ARTWORK_ID } from './markers.data.js';

/** An edit of the demo. Edits are created in order, so that accepted edits change their targets. */
export interface DemoEdit {
  id: string;
  /** Username. */
  author: string;
  app: 'WallWalker' | 'ReviewDesk';
  type: EditType;
  targetType: TargetType;
  /** For an accepted creation: the id of the new target. */
  targetId: string | null;
  /** New values of the fields. The old values are those of the target when the edit is created. */
  changes: Record<string, FieldValue>;
  comment: string;
  sourceUrl?: string;
  daysAgo: number;
  decision?: { status: 'accepted' | 'rejected' | 'superseded'; by?: string; comment?: string; daysAgo: number };
  /** Id of the edit that this edit replaced. */
  supersedes?: string;
  /** Id of the edit that this edit reverts. It is by the reviewer, and accepted. */
  reverts?: string;
}

type EditDetails = Pick<DemoEdit, 'changes' | 'comment'> &
  Partial<Pick<DemoEdit, 'app' | 'sourceUrl' | 'decision' | 'supersedes' | 'reverts'>>;

/** Creates an update of an artwork, suggested through WallWalker. */
function defineArtworkUpdate(
  number: number,
  author: string,
  daysAgo: number,
  title: string,
  rest: EditDetails,
): DemoEdit {
  const target = { type: 'update', targetType: 'artwork', targetId: findMarkerId(title) } as const;
  return { id: buildDemoId('edt', number), author, app: 'WallWalker', ...target, daysAgo, ...rest };
}

function defineArtistUpdate(
  number: number,
  author: string,
  daysAgo: number,
  name: string,
  rest: EditDetails,
): DemoEdit {
  const target = { type: 'update', targetType: 'artist', targetId: findArtistId(name) } as const;
  return { id: buildDemoId('edt', number), author, app: 'WallWalker', ...target, daysAgo, ...rest };
}

/** Edits of the demo, oldest first. */
export const EDITS: DemoEdit[] = [
  defineArtworkUpdate(1, 'mila', 75, 'The Fox That Waited for the Tram', {
    changes: { description: 'A fox at a tram stop, with a ticket in its mouth. The line was closed the year before.' },
    comment: 'Said too little.',
    decision: { status: 'accepted', by: 'tomas', daysAgo: 73 },
  }),
  {
    id: buildDemoId('edt', 2),
    author: 'ines',
    app: 'WallWalker',
    type: 'create',
    targetType: 'artwork',
    targetId: SUGGESTED_ARTWORK_ID,
    changes: {
      title: 'Letterbox with Opinions',
      description: 'A tin letterbox that has been given eyebrows.',
      location: { lat: 52.1082, lon: 5.0139 },
      medium: ['sculpture'],
      artistIds: [findArtistId('Noor van Nergens')],
      year: 2024,
      tags: ['post', 'small'],
    },
    comment: 'New since spring, next to the library.',
    daysAgo: 70,
    decision: { status: 'accepted', by: 'tomas', comment: 'Seen it. It looks stern.', daysAgo: 69 },
  },
  defineArtworkUpdate(3, 'tomas', 64, 'The Fox That Waited for the Tram', {
    changes: { tags: ['fox', 'tram', 'waiting'], address: 'Eindhalte 1, Halvenstad' },
    comment: 'Tags and the address of the old terminus.',
    decision: { status: 'accepted', by: 'ines', daysAgo: 62 },
  }),
  defineArtistUpdate(4, 'mila', 58, '壁画社', {
    changes: { aliases: ['Hekigasha', 'The Mural Company'] },
    comment: 'They use the English name on posters.',
    sourceUrl: 'https://hekigasha.example/about',
    decision: { status: 'accepted', by: 'ines', daysAgo: 57 },
  }),
  defineArtworkUpdate(5, 'gus', 52, 'Default Location', {
    changes: { description: 'Best seen after a visit to my shop. Ask for the map discount!' },
    comment: 'Better text.',
    decision: {
      status: 'rejected',
      by: 'ines',
      comment: 'This advertises a shop and no longer describes the artwork.',
      daysAgo: 50,
    },
  }),
  defineArtworkUpdate(6, 'mila', 45, 'Canoe of Doors', {
    changes: { status: 'gone' },
    comment: 'It was not at the landing.',
    decision: {
      status: 'rejected',
      by: 'tevita',
      comment: 'It stands in the boat shed while the wood is oiled, and comes back next month.',
      daysAgo: 44,
    },
  }),
  defineArtworkUpdate(7, 'tomas', 40, 'Tile by Tile', {
    changes: { year: 2006 },
    comment: 'The first tiles are older.',
    decision: { status: 'superseded', daysAgo: 38 },
  }),
  defineArtworkUpdate(8, 'tomas', 38, 'Tile by Tile', {
    changes: { year: 2007 },
    comment: 'The street paper has the exact date: I was one year off.',
    sourceUrl: 'https://scherfstraat.example/archive/2007',
    supersedes: buildDemoId('edt', 7),
  }),
  defineArtworkUpdate(9, 'mila', 33, 'The Fox That Waited for the Tram', {
    changes: { year: 2014 },
    comment: 'The signature looks like 2014 to me.',
  }),
  defineArtworkUpdate(10, 'ines', 29, 'The Fox That Waited for the Tram', {
    changes: { year: 2012 },
    comment: 'Ansa Kettu says that it was finished before the winter of 2012.',
    decision: { status: 'accepted', by: 'tomas', daysAgo: 28 },
  }),
  defineArtworkUpdate(11, 'mila', 24, 'Tomorrow Already', {
    changes: { location: { lat: -16.8011, lon: 179.9976 } },
    comment: 'A minus sign too many: everything else in this road is at +179.',
    decision: { status: 'accepted', by: 'tevita', daysAgo: 23 },
  }),
  defineArtworkUpdate(12, 'tevita', 20, 'Tomorrow Already', {
    app: 'ReviewDesk',
    changes: { location: { lat: -16.8011, lon: -179.9976 } },
    comment: 'I went there: it is on the other side of the meridian, so the minus was right.',
    decision: {
      status: 'accepted',
      by: 'tevita',
      comment: 'I went there: it is on the other side of the meridian, so the minus was right.',
      daysAgo: 20,
    },
    reverts: buildDemoId('edt', 11),
  }),
  defineArtworkUpdate(13, 'gus', 16, 'Tall Tide 🌊', {
    changes: { tags: ['sea', 'wave', 'visit my shop'] },
    comment: 'Great prices!',
  }),
  defineArtworkUpdate(14, 'mila', 14, 'Tall Tide 🌊', {
    changes: { year: 2017 },
    comment: 'It says 2017 on the plaque.',
  }),
  defineArtworkUpdate(15, 'gus', 13, 'A Lighthouse for Ships That Left', {
    changes: { year: 2010 },
    comment: 'It was there in 2010, when I moved here.',
  }),
  {
    id: buildDemoId('edt', 16),
    author: 'tomas',
    app: 'WallWalker',
    type: 'delete',
    targetType: 'artwork',
    targetId: findMarkerId('Kings of the Bicycle Shed'),
    changes: {},
    comment: 'The shed is gone and nothing is left to see.',
    daysAgo: 9,
  },
  defineArtistUpdate(17, 'tevita', 6, 'Reef Ladder', {
    changes: { aliases: ['Reef Ladder Crew'], activeFrom: 2015 },
    comment: 'The first school wall was in 2015, and they signed it as a crew.',
    sourceUrl: 'https://reefladder.example/walls',
  }),
  defineArtworkUpdate(18, 'mila', 2, 'Echo Wall', {
    changes: { status: 'gone' },
    comment: 'Painted over in May.',
  }),
];
