import type { VNode } from 'preact';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { App } from './app.entity.js';

/** Number of colors of the monograms in the stylesheet. */
const MONOGRAM_COLORS = 6;

interface AppIconProps {
  viewContext: ViewContext;
  app: Pick<App, 'id' | 'name' | 'icon'>;
}

/** The icon of an app, or a monogram. It is decoration: the name of the app stands beside it. */
export function AppIcon({ viewContext, app }: AppIconProps): VNode {
  if (app.icon !== null) {
    return <img class="app-icon" src={viewContext.basePath + app.icon} alt="" width="48" height="48" />;
  }
  return (
    <span class={`app-icon monogram color-${computeColor(app.id)}`} aria-hidden="true">
      {getInitial(app.name)}
    </span>
  );
}

/** Returns the first letter or digit of a name in upper case, or its first character. */
function getInitial(name: string): string {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const initial = characters.find((character) => /[\p{L}\p{N}]/u.test(character)) ?? characters[0] ?? '';
  return initial.toLocaleUpperCase();
}

/** Returns the number of a color, always the same one for the same app. */
function computeColor(id: string): number {
  return [...id].reduce((sum, character) => sum + character.codePointAt(0)!, 0) % MONOGRAM_COLORS;
}
