import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { ErrorDetail } from '../../../platform/errors/request-errors.js';
import { toErrorDetails } from '../../../platform/http/validation-details.js';
import { ArtistFields } from '../../artists/artist.dto.js';
import type { FieldValues, PhotoValue } from '../../history/entity-version.entity.js';
import { ArtworkFields } from '../../markers/marker.dto.js';
import type { TargetType } from '../edit.entity.js';
import type { SuggestEditRequest } from './suggest-edit.dto.js';

/** DTO that validates the fields of each type of target, and the fields that a new target needs. */
const TARGET_FIELD_SCHEMAS: Record<TargetType, { dto: Type<object>; required: string[] }> = {
  artwork: { dto: ArtworkFields, required: ['title', 'location'] },
  artist: { dto: ArtistFields, required: ['name'] },
};

/** Valid and normalized fields of a suggestion, or the errors. */
type SuggestionValidation = { fields: FieldValues } | { errors: ErrorDetail[] };

/** Validates what depends on the type of a suggestion and on the type of its target. */
export async function validateSuggestion(request: SuggestEditRequest): Promise<SuggestionValidation> {
  const error = findMemberError(request);
  if (error) return { errors: [error] };
  const fields = plainToInstance(TARGET_FIELD_SCHEMAS[request.targetType].dto, request.changes ?? {});
  const errors = await validate(fields, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) return { errors: toErrorDetails(errors, 'field', 'changes.') };
  return {
    fields: Object.fromEntries(Object.entries(fields as FieldValues).filter(([, value]) => value !== undefined)),
  };
}

/** Finds a member that the type of the suggestion requires or forbids. */
function findMemberError({
  type,
  targetType,
  targetId,
  baseVersion,
  changes,
}: SuggestEditRequest): ErrorDetail | undefined {
  for (const [path, value] of Object.entries({ targetId, baseVersion })) {
    if (type === 'create' && value != null) {
      return { path, code: 'not_allowed', message: `${path} cannot be sent with type create.` };
    }
    if (type !== 'create' && value == null) {
      return { path, code: 'required', message: `${path} is missing. It is required with type ${type}.` };
    }
  }
  if (type === 'delete' && Object.keys(changes ?? {}).length > 0) {
    return { path: 'changes', code: 'not_allowed', message: 'changes cannot be sent with type delete.' };
  }
  if (changes && 'photos' in changes && 'imageUrl' in changes) {
    const message = 'changes.imageUrl and changes.photos cannot be sent together. Send photos.';
    return { path: 'changes.imageUrl', code: 'not_together', message };
  }
  const missing = TARGET_FIELD_SCHEMAS[targetType].required.find((field) => changes?.[field] == null);
  if (type !== 'create' || !missing) return undefined;
  return {
    path: `changes.${missing}`,
    code: 'required',
    message: `changes.${missing} is missing. A new ${targetType} requires it.`,
  };
}

/**
 * Checks that only photos without a credit or license that the target has already are suggested
 * without them.
 * @param known fields of versions of the target
 */
export function checkPhotos({ photos }: FieldValues, known: FieldValues[]): ErrorDetail[] {
  const knownPhotos = known.flatMap((fields) => toPhotos(fields['photos']));
  return toPhotos(photos).flatMap((photo, index) => {
    const same = knownPhotos.filter(({ url }) => url === photo.url);
    return (['credit', 'license'] as const)
      .filter((member) => photo[member] === null && !same.some((other) => other[member] === null))
      .map((member) => {
        const path = `changes.photos.${index}.${member}`;
        return { path, code: 'required', message: `${path} is missing. A new photo requires it.` };
      });
  });
}

function toPhotos(value: FieldValues[string] | undefined): PhotoValue[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object') : [];
}
