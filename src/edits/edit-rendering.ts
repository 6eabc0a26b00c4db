import type { Fields, FieldValue } from '../history/entity-version.entity.js';
import { merge } from './edit-outcome.js';
import type { Target } from './edit-targets.js';
import type { FieldDiff } from './edit-views.dto.js';
import type { Edit } from './edit.entity.js';

const LABELS: Record<string, string> = {
  title: 'Title',
  description: 'Description',
  status: 'Status',
  medium: 'Medium',
  artistIds: 'Artists',
  year: 'Year',
  location: 'Location',
  address: 'Address',
  tags: 'Tags',
  imageUrl: 'Picture',
  name: 'Name',
  aliases: 'Also known as',
  country: 'Country',
  bio: 'About',
  links: 'Links',
  activeFrom: 'Active from',
  activeTo: 'Active to',
};

/** How much of a value a summary shows. */
const SHOWN = 60;

/** Each change of an edit, and how it stands to the target as it is. */
export function diffOf({ changes }: Pick<Edit, 'changes'>, current: Fields): FieldDiff[] {
  return changes.map((change) => {
    const { result: _, ...merged } = merge(change, current[change.field] ?? null);
    return { ...merged, label: LABELS[change.field] ?? change.field };
  });
}

/** An edit in a line: `Status: present → gone`. @param names names of artists, by id */
export function summaryOf(
  { type, targetType, changes }: Pick<Edit, 'type' | 'targetType' | 'changes'>,
  target: Pick<Target, 'title' | 'name'> | undefined,
  names: Map<string, string>,
): string {
  if (type === 'update') {
    const line = ({ field, from, to }: (typeof changes)[number]): string =>
      `${LABELS[field] ?? field}: ${shown(from, names)} → ${shown(to, names)}`;
    return changes.map(line).join('; ');
  }
  const proposed = changes.find(({ field }) => field === 'title' || field === 'name')?.to;
  const called = nameOf(target) ?? shown(proposed ?? null, names);
  if (type === 'delete') return `Delete ${targetType}: ${called}`;
  return `${changes.length > 0 ? 'New' : 'Restore'} ${targetType}: ${called}`;
}

/** What a target is called. */
export function nameOf(target: Pick<Target, 'title' | 'name'> | undefined): string | undefined {
  return target?.title ?? target?.name;
}

function shown(value: FieldValue, names: Map<string, string>): string {
  const characters = [...textOf(value, names)];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : characters.join('');
}

function textOf(value: FieldValue, names: Map<string, string>): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '–';
  if (Array.isArray(value)) return value.map((one) => names.get(one) ?? one).join(', ');
  return typeof value === 'object' ? `${value.lat}, ${value.lon}` : String(value);
}
