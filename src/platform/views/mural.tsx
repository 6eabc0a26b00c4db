import type { VNode } from 'preact';
import type { ViewContext } from './view-context.js';

/** The painted wall above the content of a page. It is decoration. */
export function Mural({ viewContext: { basePath } }: { viewContext: ViewContext }): VNode {
  return <img class="mural" src={`${basePath}/assets/mural.svg`} alt="" width="3200" height="320" />;
}
