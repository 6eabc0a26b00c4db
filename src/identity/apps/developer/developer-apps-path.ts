import type { ViewContext } from '../../../platform/views/view-context.js';

/** Returns the path of a page below `/developer/apps`. */
export function buildDeveloperAppsPath({ basePath }: ViewContext, ...segments: string[]): string {
  return [`${basePath}/developer/apps`, ...segments].join('/');
}
