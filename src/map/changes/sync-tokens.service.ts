import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { TextSigner } from '../../platform/crypto/text-signer.js';
import type { FeedPosition } from './changes.store.js';
import type { MapRecordType } from './map-change.entity.js';
import { DomainError } from '../../platform/errors/domain-error.js';

const DAY_MS = 24 * 3600 * 1000;

/** Days for which a token is valid after the day of its issue. */
const VALIDITY_DAYS = 90;

/** A position in a feed, as a token contains it. */
export interface TokenPosition extends FeedPosition {
  /** The epoch in which the token was issued. */
  epoch: string;
}

/**
 * Issues and verifies the tokens of the feeds. A token is signed and bound to its feed. It contains
 * the day of its issue, so that polls of one day without changes get the same token and ETag.
 */
@Injectable()
export class SyncTokensService {
  private readonly signers: Record<MapRecordType, TextSigner>;

  constructor({ MASTER_SECRET }: Settings) {
    this.signers = {
      marker: new TextSigner(MASTER_SECRET, 'sync-tokens-marker'),
      artist: new TextSigner(MASTER_SECRET, 'sync-tokens-artist'),
    };
  }

  issue(type: MapRecordType, { epoch, after, passStart }: TokenPosition): string {
    const members = [getToday(), epoch, after, ...(passStart === undefined ? [] : [passStart])];
    return this.signers[type].sign(members.join(' '));
  }

  /** @returns undefined if the token was not issued for this feed */
  verify(type: MapRecordType, token: string): (TokenPosition & { isExpired: boolean }) | undefined {
    const text = this.signers[type].verify(token);
    if (text === undefined) return undefined;
    const [day, epoch, after, passStart] = text.split(' ');
    return {
      epoch: epoch!,
      after: Number(after),
      ...(passStart !== undefined && { passStart: Number(passStart) }),
      isExpired: getToday() - Number(day) > VALIDITY_DAYS,
    };
  }
}

function getToday(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** This feed did not issue the token. */
export function createInvalidSyncTokenError(): DomainError {
  return new DomainError(
    'invalid',
    'invalid_sync_token',
    'since is not a token of this feed. Send nextSince of the response before, or start again without since.',
  );
}

/** The token is too old, or the map was restored to a state before the token. */
export function createSyncTokenExpiredError(): DomainError {
  return new DomainError(
    'gone',
    'sync_token_expired',
    'since has expired. Start again without since, and remove the records that the new pass does not contain.',
  );
}
