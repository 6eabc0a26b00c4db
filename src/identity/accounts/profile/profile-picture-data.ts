import type { AccountData } from '../account-data.registry.js';
import { ProfilePicture } from './profile-picture.entity.js';
import type { ProfilePicturesService } from './profile-pictures.service.js';

/** Describes the uploaded picture of an account. */
export function describeProfilePictureData(pictures: ProfilePicturesService): AccountData {
  return {
    name: 'picture',
    entities: [ProfilePicture],
    export: async (accountId) =>
      (await pictures.list(accountId)).map(({ contentType, content, createdAt }) => ({
        content_type: contentType,
        content_base64: content.toString('base64'),
        created_at: createdAt.toISOString(),
      })),
    delete: (tx, { id }) => pictures.deleteAll(tx, id),
  };
}
