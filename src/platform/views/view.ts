import type { SetCookie } from 'cookie';
import type { ComponentChildren } from 'preact';

/** A page as a handler returns it. */
export interface View {
  title: string;
  body: ComponentChildren;
  /** HTTP status; 200 by default. */
  status?: number;
  /** Hides the navigation on pages that ask for a decision. */
  hideNavigation?: boolean;
  /**
   * URI of an app to which a form of the page can redirect; the Content-Security-Policy must allow
   * it.
   */
  formRedirectUri?: string | undefined;
  headers?: Record<string, string>;
  cookies?: SetCookie[];
}
