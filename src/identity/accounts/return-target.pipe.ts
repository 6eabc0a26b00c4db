import { Injectable, type PipeTransform } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { parseReturnTarget, type ReturnTarget } from './return-target.js';

/** Transforms the query of the sign-in and sign-up pages into a ReturnTarget. */
@Injectable()
export class ReturnTargetPipe implements PipeTransform<URLSearchParams, ReturnTarget> {
  constructor(private readonly settings: Settings) {}

  transform(query: URLSearchParams): ReturnTarget {
    return parseReturnTarget(this.settings.BASE_URL, query);
  }
}
