import type { SetCookie } from 'cookie';
import type { ComponentChildren } from 'preact';

/** A page to show: what a page's handler returns. */
export interface View {
  title: string;
  body: ComponentChildren;
  /** 200, unless said. */
  status?: number;
  /** Whether it asks for a decision, so that nothing leads away from it. */
  hideNavigation?: boolean;
  /** Addresses that a form of the page leads on to, past our own. */
  formRedirectUri?: string | undefined;
  headers?: Record<string, string>;
  cookies?: SetCookie[];
}
