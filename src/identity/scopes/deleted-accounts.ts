import { Injectable } from '@nestjs/common';
import { IdSet } from './id-set.js';

/**
 * The accounts that were deleted during the lifetime of an access token. The accounts module
 * replaces the set.
 */
@Injectable()
export class DeletedAccounts extends IdSet {}
