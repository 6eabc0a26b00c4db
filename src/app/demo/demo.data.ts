import { ALL_REGIONS, type Role } from '../../identity/accounts/account.entity.js';
import type { BoundingBox } from '../../map/regions/geo.js';
import type { Scope } from '../../identity/scopes/scopes.js';

/** Four invented cities, in locations where maps often have errors. */
export const REGIONS: [name: string, box: BoundingBox][] = [
  ['Halvenstad', [4.8, 52.0, 5.2, 52.3]],
  ['Null Harbour', [-0.2, -0.2, 0.2, 0.2]],
  ['Tavu Point', [179.8, -17.0, -179.8, -16.6]],
  ['Nordlys Bay', [18.5, 69.5, 19.5, 69.8]],
];

/** Accounts of the demo, with the names of the regions in which their roles are valid. */
export const PEOPLE: { username: string; name: string; role: Role; regions?: string[]; blockedReason?: string }[] = [
  { username: 'mila', name: 'Mila Vos', role: 'member' },
  { username: 'tomas', name: 'Tomáš Dvořák', role: 'trusted', regions: ['Halvenstad'] },
  { username: 'ines', name: 'Inês Prado', role: 'moderator', regions: [ALL_REGIONS] },
  { username: 'tevita', name: 'Tevita Lolo', role: 'moderator', regions: ['Tavu Point'] },
  { username: 'gus', name: 'Gus Hartley', role: 'member', blockedReason: 'Posted advertisements.' },
];

/** Apps of the demo. */
export const APPS: { name: string; description: string; redirectUris: string[]; scopes: Scope[] }[] = [
  {
    name: 'WallWalker',
    description: 'Find murals near you, and keep the ones you like.',
    redirectUris: ['http://127.0.0.1:4000/callback'],
    scopes: [
      'openid',
      'profile',
      'markers:read',
      'artists:read',
      'collections:read',
      'collections:write',
      'edits:read',
      'edits:write',
    ],
  },
  {
    name: 'ReviewDesk',
    description: 'Shows suggested changes to the people who review them.',
    redirectUris: ['http://127.0.0.1:4001/callback'],
    scopes: ['edits:read', 'edits:review', 'markers:read', 'artists:read'],
  },
];
