import type { FieldValues, FieldValue, PhotoValue } from '../../history/entity-version.entity.js';
import { mergeChange } from '../rules/edit-changes.js';
import type { Target } from '../edit-targets.service.js';
import type { EditView, FieldDiff } from './edit-views.dto.js';
import type { Edit } from '../edit.entity.js';

const FIELD_LABELS: Record<string, string> = {
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
  photos: 'Photos',
  name: 'Name',
  aliases: 'Also known as',
  country: 'Country',
  bio: 'About',
  links: 'Links',
  activeFrom: 'Active from',
  activeTo: 'Active to',
};

/** Longer values are cut in a summary. In characters. */
const MAX_SUMMARY_VALUE_LENGTH = 60;

/** Compares each change of an edit with the current fields of its target. */
export function toFieldDiffs({ changes }: Pick<Edit, 'changes'>, current: FieldValues): FieldDiff[] {
  return changes.map((change) => {
    const { result: _, ...merged } = mergeChange(change, current[change.field] ?? null);
    return { ...merged, label: FIELD_LABELS[change.field] ?? change.field };
  });
}

/**
 * Describes an edit in one line, such as `Status: present → gone`.
 * @param names names of artists, by id
 */
export function buildSummary(
  { type, targetType, changes }: Pick<Edit, 'type' | 'targetType' | 'changes'>,
  target: Pick<Target, 'title' | 'name'> | undefined,
  names: Map<string, string>,
): string {
  if (type === 'update') {
    const describe = ({ field, from, to }: (typeof changes)[number]): string =>
      `${FIELD_LABELS[field] ?? field}: ${formatValue(from, names)} → ${formatValue(to, names)}`;
    return changes.map(describe).join('; ');
  }
  const proposed = changes.find(({ field }) => field === 'title' || field === 'name')?.to;
  const title = getTargetTitle(target) ?? formatValue(proposed ?? null, names);
  if (type === 'delete') return `Delete ${targetType}: ${title}`;
  return `${changes.length > 0 ? 'New' : 'Restore'} ${targetType}: ${title}`;
}

/** Returns the main columns of a target; null if it does not exist. */
export function toTargetSummary(target: Target | undefined): NonNullable<EditView['target']> | null {
  if (!target) return null;
  const summary = { id: target.id, version: target.version, title: getTargetTitle(target)! };
  return target.deletedAt ? { ...summary, deleted: true } : summary;
}

function getTargetTitle(target: Pick<Target, 'title' | 'name'> | undefined): string | undefined {
  return target?.title ?? target?.name;
}

/** Formats the value of a field as one line of text. @param names names of artists, by id */
export function formatValue(value: FieldValue, names: Map<string, string>): string {
  const characters = [...stringifyValue(value, names)];
  return characters.length > MAX_SUMMARY_VALUE_LENGTH
    ? `${characters.slice(0, MAX_SUMMARY_VALUE_LENGTH).join('')}…`
    : characters.join('');
}

function stringifyItem(item: string | PhotoValue, names: Map<string, string>): string {
  if (typeof item === 'string') return names.get(item) ?? item;
  const { url, credit, license } = item;
  return credit === null ? url : `${url} (${credit}, ${license})`;
}

function stringifyValue(value: FieldValue, names: Map<string, string>): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '–';
  if (Array.isArray(value)) return value.map((item) => stringifyItem(item, names)).join(', ');
  return typeof value === 'object' ? `${value.lat}, ${value.lon}` : String(value);
}
