import { Injectable } from '@nestjs/common';
import { IdSet } from './id-set.js';

/** The disabled apps. The clients module replaces the set. */
@Injectable()
export class DisabledApps extends IdSet {}
