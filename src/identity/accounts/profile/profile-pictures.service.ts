import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { buildStoredPicture, isPictureId } from '../../../platform/pictures/stored-picture.js';
import { PICTURES_PATH, ProfilePicture } from './profile-picture.entity.js';

/** Stores the uploaded pictures of accounts, at most one for each account. */
@Injectable()
export class ProfilePicturesService {
  constructor(@InjectRepository(ProfilePicture) private readonly pictures: Repository<ProfilePicture>) {}

  /** Returns the picture with a public id, or null. */
  async find(id: string): Promise<ProfilePicture | null> {
    return isPictureId(id) ? this.pictures.findOneBy({ id }) : null;
  }

  /**
   * Stores a picture in place of the previous one. The caller has locked the account.
   * @param content an encoded picture
   * @returns the path of the picture below `BASE_URL`
   */
  async replace(tx: EntityManager, accountId: string, content: Buffer): Promise<string> {
    await this.deleteAll(tx, accountId);
    const picture = buildStoredPicture(content);
    await tx.insert(ProfilePicture, { ...picture, accountId });
    return `${PICTURES_PATH}${picture.id}`;
  }

  async list(accountId: string): Promise<ProfilePicture[]> {
    return this.pictures.findBy({ accountId });
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(ProfilePicture, { accountId });
  }
}
