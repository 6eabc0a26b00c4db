import { Injectable, type PipeTransform } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AppNameLookup } from './app-name-lookup.js';
import { parseReturnTarget, type ReturnTarget } from './return-target.js';

/** Where a person continues after signing in or up. */
export interface NamedReturnTarget extends ReturnTarget {
  /** Name of the app that sent the person, if there is one. */
  appName: string | undefined;
}

/** Transforms the query of the sign-in and sign-up pages into a NamedReturnTarget. */
@Injectable()
export class ReturnTargetPipe implements PipeTransform<URLSearchParams, Promise<NamedReturnTarget>> {
  constructor(
    private readonly settings: Settings,
    private readonly appNames: AppNameLookup,
  ) {}

  async transform(query: URLSearchParams): Promise<NamedReturnTarget> {
    const target = parseReturnTarget(this.settings.BASE_URL, query);
    const appName = target.clientId === undefined ? undefined : await this.appNames.find(target.clientId);
    return { ...target, appName };
  }
}
