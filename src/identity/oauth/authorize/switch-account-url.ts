import type { ViewContext } from '../../../platform/views/view-context.js';

/** Where a person signs in as somebody else, and comes back to what the app asked. @param query the app's request */
export function buildSwitchAccountUrl({ basePath, language }: ViewContext, query: URLSearchParams): string {
  const returnTo = `${basePath}/api/oauth/authorize?${query}`;
  return `${basePath}/sign-in?${new URLSearchParams({ return_to: returnTo, ui_locales: language })}`;
}
