import type { ViewContext } from '../../../platform/views/view-context.js';

/**
 * Returns the URL of the sign-in page that resumes the authorization request with another account.
 */
export function buildSwitchAccountUrl(
  { basePath, language }: ViewContext,
  authorizationParams: URLSearchParams,
): string {
  const returnTo = `${basePath}/api/oauth/authorize?${authorizationParams}`;
  return `${basePath}/sign-in?${new URLSearchParams({ return_to: returnTo, ui_locales: language })}`;
}
