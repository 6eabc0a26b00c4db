import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';

interface AppToContinueToProps {
  viewContext: ViewContext;
  appName: string | undefined;
}

/** Names the app for which the person signs in or up; nothing without one. */
export function AppToContinueTo({ viewContext: { messages }, appName }: AppToContinueToProps): VNode | null {
  if (appName === undefined) return null;
  return <p class="lead">{interpolateNodes(messages.signIn.continueTo, { app: <strong>{appName}</strong> })}</p>;
}
