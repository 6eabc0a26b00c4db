import { randomBytes } from 'node:crypto';
import { Column, PrimaryColumn } from 'typeorm';
import { bytes, timestampMs } from '../database/columns.js';
import { PICTURE_CONTENT_TYPE } from './picture-encoder.service.js';

/** The columns of a table of encoded pictures. */
export abstract class StoredPicture {
  /** Random id in the public address. A new picture has a new id, so that caches never expire. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  id!: string;

  @Column({ type: 'varchar', length: 40 })
  contentType!: string;

  @Column(bytes)
  content!: Buffer;

  @Column(timestampMs)
  createdAt!: Date;
}

/** Returns the columns of a new picture. @param content an encoded picture */
export function buildStoredPicture(content: Buffer): StoredPicture {
  const id = randomBytes(32).toString('base64url');
  return { id, contentType: PICTURE_CONTENT_TYPE, content, createdAt: new Date() };
}

/** Whether a text has the form of the id of a picture. */
export function isPictureId(id: string): boolean {
  return /^[\w-]{43}$/.test(id);
}
