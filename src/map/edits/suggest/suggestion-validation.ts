import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { FieldValues } from '../../history/entity-version.entity.js';
import { toErrorDetails, invalidRequest } from '../../../platform/http/api-validation.pipe.js';
import { TARGET_FIELD_SCHEMAS } from '../edit-targets.service.js';
import type { SuggestEditRequest } from './suggest-edit.dto.js';

/** What a suggestion must and must not have, by its type. @throws ApiError 400 */
export function validateSuggestion({ type, targetType, targetId, baseVersion, changes }: SuggestEditRequest): void {
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
  const missing = TARGET_FIELD_SCHEMAS[targetType].required.find((field) => changes?.[field] == null);
  if (type === 'create' && missing) wrong(`changes.${missing}`, 'required', `A new ${targetType} needs ${missing}.`);
}

/** The fields that were given, tidied. @throws ApiError 400 that names each one that is not as its target wants it */
export async function validateFields({ targetType, changes }: SuggestEditRequest): Promise<FieldValues> {
  const given = plainToInstance(TARGET_FIELD_SCHEMAS[targetType].dto, changes ?? {});
  const errors = await validate(given, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw invalidRequest(toErrorDetails(errors, 'changes.'));
  return Object.fromEntries(Object.entries(given as FieldValues).filter(([, value]) => value !== undefined));
}
