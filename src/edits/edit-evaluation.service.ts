import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { invalidRequest } from '../http/validation.pipe.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { type ActionAnswer, actionsOn, answerOf, WRITE_SCOPE } from './edit-actions.js';
import type { Evaluation, ItemAnswer, PermissionItem, TargetAction } from './edit-evaluation.dto.js';
import { mayReview, maySee, maySuggest, openEditsOf, REVIEW_SCOPE } from './edit-permissions.js';
import { EditTargets, type Target, type TargetRef } from './edit-targets.js';
import { EditVerdicts, reviewed } from './edit-verdicts.service.js';
import type { Edit, EditType, TargetType } from './edit.entity.js';
import { EditsService } from './edits.service.js';

/** What has been looked up for the items of a request. */
interface Known {
  caller: Caller;
  person: Account;
  openEdits: number;
  edits: Map<string, Edit>;
  targetOf: (ref: TargetRef) => Target | undefined;
}

/** Says before an app shows a button whether it would work: advice, by the rules that the writes themselves go by. */
@Injectable()
export class EditEvaluationService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly edits: EditsService,
    private readonly targets: EditTargets,
    private readonly verdicts: EditVerdicts,
    private readonly accounts: AccountsService,
  ) {}

  async evaluate(caller: Caller, items: PermissionItem[]): Promise<Evaluation> {
    items.forEach(checkItem);
    const person = await this.accounts.get(caller.accountId);
    const edits = await this.edits.find(items.flatMap(({ editId }) => editId ?? []));
    const asked = items.flatMap(({ targetType, targetId }) => (targetType && targetId ? { targetType, targetId } : []));
    const known: Known = {
      caller,
      person,
      openEdits: await this.edits.countOpen(person.id),
      edits: new Map(edits.map((edit) => [edit.id, edit])),
      targetOf: await this.targets.look([...edits, ...asked]),
    };
    const data: ItemAnswer[] = [];
    for (const item of items) data.push(await this.answer(known, item));
    return { data, quota: { openEdits: known.openEdits, openEditsMax: openEditsOf(person) } };
  }

  private async answer(known: Known, item: PermissionItem): Promise<ItemAnswer> {
    if (item.editId !== undefined) return this.onEdit(known, item, item.editId);
    const suggest = answerOf(known.caller, WRITE_SCOPE, maySuggest(known.person, known.openEdits)?.reason ?? null);
    if (item.type === 'create') return { ...item, found: true, actions: { suggestCreate: suggest } };
    const target = known.targetOf({ targetType: item.targetType!, targetId: item.targetId! });
    if (!target || target.deletedAt || target.kind === 'place') return { ...item, found: false };
    return { ...item, found: true, actions: actionsOnTarget(known, suggest, item.targetType!, target) };
  }

  private async onEdit({ caller, person, ...known }: Known, item: PermissionItem, id: string): Promise<ItemAnswer> {
    const edit = known.edits.get(id);
    const target = edit && known.targetOf(edit);
    if (!edit || !maySee(caller, person, reviewed(edit, target))) return { ...item, found: false };
    return {
      ...item,
      found: true,
      actions: await actionsOn(this.verdicts, this.manager, caller, person, edit, target),
    };
  }
}

function actionsOnTarget(
  { caller, person }: Known,
  suggest: ActionAnswer,
  targetType: TargetType,
  target: Target,
): Partial<Record<TargetAction, ActionAnswer>> {
  const review = (type: EditType): ActionAnswer => {
    const others = { authorId: '', regions: [target.regionId ?? null] };
    const edit = { ...others, type, targetType, reverts: null, decidedAt: null, locked: target.lockedAt !== null };
    return answerOf(caller, REVIEW_SCOPE, mayReview(person, edit, 'accept')?.reason ?? null);
  };
  return {
    suggestUpdate: suggest,
    suggestDelete: suggest,
    reviewUpdates: review('update'),
    reviewDeletes: review('delete'),
  };
}

/** @throws ApiError 400 where an item is none of the three */
function checkItem({ editId, targetType, targetId, type }: PermissionItem, at: number): void {
  const forms = [
    editId !== undefined && !targetType && targetId === undefined && !type,
    editId === undefined && targetType && targetId !== undefined && !type,
    editId === undefined && targetType && targetId === undefined && type,
  ];
  if (forms.some(Boolean)) return;
  const message = 'An item is an editId, a targetType with a targetId, or a targetType with type create.';
  throw invalidRequest([{ path: `items.${at}`, code: 'not_together', message }]);
}
