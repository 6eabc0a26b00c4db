import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { allow, mayWrite } from '../accounts/account-permissions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { Transactions } from '../database/transactions.js';
import { ApiError, gone, notFound } from '../http/api-error.js';
import { detailsOf, invalidRequest } from '../http/validation.pipe.js';
import type { Location } from '../markers/marker.dto.js';
import { RegionsService } from '../markers/regions.service.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { EditTargets, type Fields, sameValue, type Target, TARGET_FIELDS } from './edit-targets.js';
import type { SuggestEdit, WrittenEdit } from './edit.dto.js';
import { type Change, Edit } from './edit.entity.js';
import { newEdit } from './new-edit.js';
import { EditsService } from './edits.service.js';
import { toWrittenEdit } from './written-edit.js';

/** Suggesting changes. A suggestion is always open: no app changes the map by itself, however trusted its person is. */
@Injectable()
export class EditSuggestionsService {
  constructor(
    private readonly targets: EditTargets,
    private readonly edits: EditsService,
    private readonly regions: RegionsService,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  async suggest(caller: Caller, given: SuggestEdit): Promise<WrittenEdit> {
    checkShape(given);
    const fields = await checkFields(given);
    return this.transactions.run(async (tx) => {
      const author = await this.accounts.hold(tx, caller.accountId);
      const target = await this.targetOf(tx, given);
      allow(mayWrite(author));
      await this.targets.of(given.targetType).check?.(tx, fields);
      const edit = newEdit(caller, given, {
        targetId: target?.id ?? null,
        regionId: await this.regionOf(tx, target, fields),
        changes: this.changesOf(given, target, fields),
      });
      await tx.insert(Edit, edit);
      return toWrittenEdit(caller, await this.edits.written(tx, edit.id));
    });
  }

  /** What is to be changed, as the author saw it; nothing yet, for a creation. */
  private async targetOf(tx: EntityManager, given: SuggestEdit): Promise<Target | null> {
    const { type, targetType, targetId, baseVersion } = given;
    if (type === 'create') return null;
    const target = await this.targets.of(targetType).read(tx, targetId!);
    if (!target) throw notFound(targetType);
    if (target.deletedAt) throw gone(targetType);
    if (baseVersion === target.version) return target;
    const sentence = `The ${targetType} is at version ${target.version}. Look at it and suggest the change to that one.`;
    throw new ApiError(409, 'edit_conflict', sentence);
  }

  private async regionOf(tx: EntityManager, target: Target | null, fields: Fields): Promise<string | null> {
    if (target) return target.regionId ?? null;
    return fields['location'] ? this.regions.at(tx, fields['location'] as Location) : null;
  }

  private changesOf({ type, targetType }: SuggestEdit, target: Target | null, fields: Fields): Change[] {
    const current = target ? this.targets.of(targetType).fieldsOf(target) : {};
    const changes = Object.entries(fields)
      .map(([field, to]) => ({ field, from: current[field] ?? null, to }))
      .filter(({ from, to }) => !sameValue(from, to));
    if (type !== 'delete' && changes.length === 0) {
      throw new ApiError(422, 'no_changes', 'This would change nothing.');
    }
    return changes;
  }
}

/** What a suggestion must and must not have, by its type. */
function checkShape({ type, targetType, targetId, baseVersion, changes }: SuggestEdit): void {
  const wrong = (path: string, code: string, message: string): never => {
    throw invalidRequest([{ path, code, message }]);
  };
  for (const [path, value] of Object.entries({ targetId, baseVersion })) {
    if (type === 'create' && value != null) wrong(path, 'not_allowed', `A creation has no ${path}.`);
    if (type !== 'create' && value == null) wrong(path, 'required', `${path} says what is to be changed.`);
  }
  if (type === 'delete' && Object.keys(changes ?? {}).length > 0) {
    wrong('changes', 'not_allowed', 'A deletion has no changes.');
  }
  const missing = TARGET_FIELDS[targetType].required.find((field) => changes?.[field] == null);
  if (type === 'create' && missing) wrong(`changes.${missing}`, 'required', `A new ${targetType} needs ${missing}.`);
}

/** The fields that were given, tidied. @throws ApiError 400 that names each one that is not as its target wants it */
async function checkFields({ targetType, changes }: SuggestEdit): Promise<Fields> {
  const given = plainToInstance(TARGET_FIELDS[targetType].dto, changes ?? {});
  const errors = await validate(given, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw invalidRequest(detailsOf(errors, 'changes.'));
  return Object.fromEntries(Object.entries(given as Fields).filter(([, value]) => value !== undefined));
}
