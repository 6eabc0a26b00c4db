import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { buildStoredPicture, isPictureId } from '../../platform/pictures/stored-picture.js';
import { StoredAppIcon } from './stored-app-icon.entity.js';

/** Path of the uploaded icons below `BASE_URL`. */
const APP_ICONS_PATH = '/app-icons/';

/** Stores the uploaded icons of apps, at most one for each app. */
@Injectable()
export class AppIconsService {
  constructor(@InjectRepository(StoredAppIcon) private readonly icons: Repository<StoredAppIcon>) {}

  /** Returns the icon with a public id, or null. */
  async find(id: string): Promise<StoredAppIcon | null> {
    return isPictureId(id) ? this.icons.findOneBy({ id }) : null;
  }

  /** Returns the icon of an app, or null. */
  async findByApp(appId: string): Promise<StoredAppIcon | null> {
    return this.icons.findOneBy({ appId });
  }

  /**
   * Stores the icon of an app that has none.
   * @param content an encoded picture
   * @returns the path of the icon below `BASE_URL`
   */
  async insert(tx: EntityManager, appId: string, content: Buffer): Promise<string> {
    const picture = buildStoredPicture(content);
    await tx.insert(StoredAppIcon, { ...picture, appId });
    return `${APP_ICONS_PATH}${picture.id}`;
  }

  async delete(tx: EntityManager, appId: string): Promise<void> {
    await tx.delete(StoredAppIcon, { appId });
  }
}
