import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { FormattedDate } from '../../platform/views/date-time.js';
import type { ViewContext, Viewer } from '../../platform/views/view-context.js';
import type { Account } from '../accounts/account.entity.js';
import { listActions } from '../scopes/scope-messages.js';
import type { Scope } from '../scopes/scopes.js';
import type { App } from './app.entity.js';

interface AppRightsProps {
  viewContext: ViewContext;
  scopes: Scope[];
}

/** What an app sees, and in bold what it changes: `Sees the map, changes collections`. */
export function AppRights({ viewContext: { messages, language }, scopes }: AppRightsProps): VNode | null {
  const actions = listActions(scopes, language);
  const things = actions.filter(({ isWrite }) => !isWrite).map(({ text }) => text);
  const sees = things.length > 0 && interpolate(messages.connectedApps.sees, { things: things.join(', ') });
  const parts = [sees, ...actions.filter(({ isWrite }) => isWrite).map(({ text }) => <strong>{text}</strong>)];
  const shown = parts.filter((part) => part !== false);
  if (shown.length === 0) return null;
  return <p class="rights">{shown.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}</p>;
}

interface AppRegistrationProps {
  viewContext: ViewContext;
  app: App;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
}

/** Who registered an app, and when. */
export function AppRegistration({ viewContext: { messages, locale }, app, owner }: AppRegistrationProps): VNode {
  const { consent } = messages;
  const date = <FormattedDate at={app.createdAt} locale={locale} />;
  if (app.metadataUrl !== null)
    return <>{interpolateNodes(consent.describedBy, { host: <b>{new URL(app.metadataUrl).host}</b>, date })}</>;
  if (app.isFirstParty) return <>{interpolateNodes(consent.registeredByOperator, { date })}</>;
  if (!owner) return <>{interpolateNodes(consent.registeredOn, { date })}</>;
  return <>{interpolateNodes(consent.registeredBy, { owner: formatFullName(owner), date })}</>;
}

/** Returns the name and the username, which is unique. */
export function formatFullName({ name, username }: Pick<Viewer, 'name' | 'username'>): string {
  return `${name} (${username})`;
}
