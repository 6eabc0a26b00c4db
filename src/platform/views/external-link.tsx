import type { VNode } from 'preact';
import type { ViewContext } from './view-context.js';

interface ExternalLinkProps {
  viewContext: ViewContext;
  /** https URL of another site. */
  href: string;
  /** Text of the link; the host if there is none. */
  text?: string;
}

/**
 * A link to another site, which the browser opens in a new tab. The page with its form stays. The
 * host of the site is always visible.
 */
export function ExternalLink({ viewContext: { messages }, href, text }: ExternalLinkProps): VNode {
  const { host } = new URL(href);
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {text === undefined ? host : `${text} (${host})`}
      <span class="visually-hidden"> {messages.opensInNewTab}</span>
    </a>
  );
}
