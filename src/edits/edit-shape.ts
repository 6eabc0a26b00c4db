import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { Fields } from '../history/entity-version.entity.js';
import { detailsOf, invalidRequest } from '../http/validation.pipe.js';
import { TARGET_FIELDS } from './edit-targets.js';
import type { SuggestEdit } from './edit.dto.js';

/** What a suggestion must and must not have, by its type. @throws ApiError 400 */
export function checkShape({ type, targetType, targetId, baseVersion, changes }: SuggestEdit): void {
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
export async function checkFields({ targetType, changes }: SuggestEdit): Promise<Fields> {
  const given = plainToInstance(TARGET_FIELDS[targetType].dto, changes ?? {});
  const errors = await validate(given, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw invalidRequest(detailsOf(errors, 'changes.'));
  return Object.fromEntries(Object.entries(given as Fields).filter(([, value]) => value !== undefined));
}
