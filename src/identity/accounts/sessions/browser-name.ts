import Bowser from 'bowser';

const MAX_NAME_LENGTH = 100;

/**
 * Returns the name of a browser and its operating system, such as `Firefox (Linux)`, in every
 * language.
 * @param userAgent the header `User-Agent`
 * @returns null if the browser is unknown
 */
export function formatBrowserName(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return null;
  return (os.name ? `${browser.name} (${os.name})` : browser.name).slice(0, MAX_NAME_LENGTH);
}
