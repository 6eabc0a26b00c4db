import { type Account, ALL_REGIONS, type Role } from '../../identity/accounts/account.entity.js';
import { SendConfirmationForm } from '../../identity/accounts/email-link.page.js';
import type { SuggestionQuota } from '../../map/edits/suggest/suggestion-quota.service.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { Messages } from '../../platform/i18n/language.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/** What a person with a role for the whole map may do beside that. */
const ABILITIES_EVERYWHERE: Record<Role, (keyof Messages['role']['may'])[]> = {
  member: [],
  trusted: ['reviewArtists'],
  moderator: ['disable'],
};

/** What a person with each role may do. */
const ABILITIES: Record<Role, (keyof Messages['role']['may'])[]> = {
  member: ['suggest', 'collect'],
  trusted: ['suggest', 'collect', 'review', 'revert'],
  moderator: ['suggest', 'collect', 'reviewAll', 'revertAll', 'moderate'],
};

interface RolePageProps {
  account: Account;
  /** Names of the regions in which the role is valid. */
  regionNames: string[];
  quota: SuggestionQuota;
  isEmailUnconfirmed: boolean;
}

/** Renders the role, the regions and the quota of a person. */
export function renderRolePage(
  viewContext: ViewContext,
  { account, regionNames, quota, isEmailUnconfirmed }: RolePageProps,
): View {
  const { messages, basePath, locale } = viewContext;
  const { role: texts, errors, moderation } = messages;
  const formatCount = (text: string, count: number, max: number): string =>
    interpolate(text, { count: count.toLocaleString(locale), max: max.toLocaleString(locale) });
  return {
    title: texts.title,
    body: (
      <>
        <p class="lead">
          {texts.are[account.role]} {describeRegions(viewContext, account, regionNames)}
        </p>
        <section class="card" aria-labelledby="may">
          <h2 id="may">{texts.mayTitle}</h2>
          <ul>
            {listAbilities(account).map((ability) => (
              <li key={ability}>{texts.may[ability]}</li>
            ))}
          </ul>
          {account.role === 'moderator' && (
            <p>
              <a href={`${basePath}/moderation`}>{moderation.title}</a>
            </p>
          )}
        </section>
        <section class="card" aria-labelledby="quota">
          <h2 id="quota">{texts.quotaTitle}</h2>
          {isEmailUnconfirmed && (
            <>
              <p>{errors.emailUnconfirmed}</p>
              <SendConfirmationForm viewContext={viewContext} />
            </>
          )}
          <p>{formatCount(texts.hour, quota.hourlyEdits, quota.hourlyEditsMax)}</p>
          <p>{formatCount(texts.open, quota.openEdits, quota.openEditsMax)}</p>
          {account.role === 'member' && <p class="secondary">{texts.grows}</p>}
        </section>
        <p>
          {texts.chosen} <a href={`${basePath}/docs/roles`}>{texts.more}</a>
        </p>
      </>
    ),
  };
}

function listAbilities({ role, regions }: Account): (keyof Messages['role']['may'])[] {
  return [...ABILITIES[role], ...(regions.includes(ALL_REGIONS) ? ABILITIES_EVERYWHERE[role] : [])];
}

/** Says where the role is valid; nothing without regions, as for members. */
function describeRegions({ messages, language }: ViewContext, { regions }: Account, names: string[]): string {
  const { everywhere, inRegions } = messages.role;
  if (regions.includes(ALL_REGIONS)) return everywhere;
  if (names.length === 0) return '';
  return interpolate(inRegions, { regions: new Intl.ListFormat(language).format(names) });
}
