import type { EditRow } from '../edit.entity.js';
import { deny, type EditDenial } from './rule-result.js';

/** Actions on an existing edit. */
export const EDIT_ACTIONS = ['supersede', 'accept', 'reject', 'revert'] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** Only accepted edits can be reverted; all other actions need an open edit. */
export function checkStatus(action: EditAction | 'withdraw', { status }: Pick<EditRow, 'status'>): EditDenial | null {
  if (action === 'revert') {
    if (status === 'accepted') return null;
    return deny('edit_not_accepted', `This edit is ${status}. Only accepted edits can be reverted.`);
  }
  return status === 'open'
    ? null
    : deny(
        'edit_not_open',
        `This edit is already ${status}. Only open edits can be accepted, rejected, replaced or withdrawn.`,
      );
}
