import { Injectable, type PipeTransform } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AccountAppsRegistry } from './account-apps.registry.js';
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
    private readonly apps: AccountAppsRegistry,
  ) {}

  async transform(query: URLSearchParams): Promise<NamedReturnTarget> {
    const target = parseReturnTarget(this.settings.BASE_URL, query);
    const app = target.clientId === undefined ? null : await this.apps.find(target.clientId);
    return { ...target, appName: app && !app.disabledAt ? app.name : undefined };
  }
}
