import type { VNode } from 'preact';
import { Monogram } from '../../platform/views/monogram.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { App } from './app.entity.js';

interface AppIconProps {
  viewContext: ViewContext;
  app: Pick<App, 'id' | 'name' | 'icon'>;
}

/** The icon of an app, or a monogram. It is decoration: the name of the app stands beside it. */
export function AppIcon({ viewContext, app }: AppIconProps): VNode {
  if (app.icon !== null) {
    return <img class="app-icon" src={viewContext.basePath + app.icon} alt="" width="48" height="48" />;
  }
  return <Monogram id={app.id} name={app.name} />;
}
