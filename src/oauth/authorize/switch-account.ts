import type { Ui } from '../../views/ui.js';

/** Where a person signs in as somebody else, and comes back to what the app asked. @param query the app's request */
export function switchAccount({ base, language }: Ui, query: URLSearchParams): string {
  const returnTo = `${base}/api/oauth/authorize?${query}`;
  return `${base}/sign-in?${new URLSearchParams({ return_to: returnTo, ui_locales: language })}`;
}
