import type { VNode } from 'preact';
import { DocumentLinks } from '../../identity/apps/developer/developer-components.js';
import { interpolate, interpolateCount, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { RelativeDay } from '../../platform/views/date-time.js';
import { Mural } from '../../platform/views/mural.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { Attention } from './attention.service.js';
import type { MapSummary } from './map-summary.service.js';
import { PublicAppList } from './public-apps.page.js';
import type { PublicApp } from './public-apps.service.js';

interface HomePageProps {
  map: MapSummary;
  apps: PublicApp[];
  /** Null without a session. */
  attention: Attention | null;
}

interface HomeSectionProps {
  viewContext: ViewContext;
}

/** Number of apps that the home page shows. */
const MAX_SHOWN_APPS = 4;

/** Renders the home page: the map, what it contains, and the apps that show it. */
export function renderHomePage(viewContext: ViewContext, { map, apps, attention }: HomePageProps): View {
  const { messages, viewer } = viewContext;
  const { home } = messages;
  return {
    title: viewer ? interpolate(home.welcome, { name: viewer.name }) : home.title,
    banner: map.regions.length > 0 ? <MapPicture {...{ viewContext, map }} /> : <Mural viewContext={viewContext} />,
    body: (
      <>
        {map.artworks.count > 0 && <p class="lead">{describeMap(viewContext, map)}</p>}
        {attention ? <AttentionList {...{ viewContext, attention }} /> : <Invitation viewContext={viewContext} />}
        <div class="halves">
          <NewestArtworks {...{ viewContext, map }} />
          <OpenApps {...{ viewContext, apps }} />
        </div>
        <DeveloperLinks viewContext={viewContext} />
      </>
    ),
  };
}

/** Returns the numbers of the map: `60 artworks in 4 cities by 18 artists`. */
function describeMap(
  { messages: { home }, language }: ViewContext,
  { artworks, regionCount, artistCount }: MapSummary,
): string {
  const { count, isLowerBound } = artworks;
  const shown = interpolateCount(count, home.artworksOne, home.artworksOther, language);
  const values = {
    artworks: isLowerBound ? interpolate(home.moreThan, { artworks: shown }) : shown,
    regions: interpolateCount(regionCount, home.regionsOne, home.regionsOther, language),
    artists: interpolateCount(artistCount, home.artistsOne, home.artistsOther, language),
  };
  return interpolate(regionCount > 0 ? home.numbers : home.numbersWithoutRegions, values);
}

function MapPicture({ viewContext, map: { regions } }: HomeSectionProps & { map: MapSummary }): VNode {
  const { basePath, messages, language } = viewContext;
  const format = new Intl.NumberFormat(language);
  const names = regions.map(({ name, markerCount }) => `${name} ${format.format(markerCount)}`.trim());
  const alt = interpolate(messages.home.mapAlt, { regions: new Intl.ListFormat(language).format(names) });
  return (
    <picture class="map-picture">
      <source media="(max-width: 40rem)" srcset={`${basePath}/map-narrow.svg`} />
      <img src={`${basePath}/map.svg`} alt={alt} width="1200" height="300" />
    </picture>
  );
}

function Invitation({ viewContext: { messages, basePath } }: HomeSectionProps): VNode {
  const { home, nav, signUp } = messages;
  return (
    <>
      <p>{home.lead}</p>
      <p class="actions invitation">
        <a class="button" href={`${basePath}/sign-up`}>
          {signUp.title}
        </a>
        <a class="button quiet" href={`${basePath}/sign-in`}>
          {nav.signIn}
        </a>
      </p>
    </>
  );
}

interface AttentionListProps extends HomeSectionProps {
  attention: Attention;
}

/** What happened to the account, each with a link to the page that shows it. */
function AttentionList({ viewContext, attention }: AttentionListProps): VNode | null {
  const { messages, basePath, language, locale } = viewContext;
  const { home } = messages;
  const { isEmailUnconfirmed, connected, failing, decided } = attention;
  const items = [
    ...(isEmailUnconfirmed ? [<a href={`${basePath}/account`}>{home.confirmEmail}</a>] : []),
    ...connected.map(({ app, at }) => (
      <a href={`${basePath}/account/apps/${app.id}`}>
        {interpolateNodes<VNode | string>(home.connected, {
          app: app.name,
          date: <RelativeDay at={at} locale={locale} />,
        })}
      </a>
    )),
    ...failing.map(({ app, callCount }) => (
      <a href={`${basePath}/developer/apps/${app.id}`}>
        {app.name}: {interpolateCount(callCount, home.failedCallsOne, home.failedCallsOther, language)}
      </a>
    )),
    ...decided.map(({ edit, title }) => (
      <a href={`${basePath}/account/edits/${edit.id}`}>
        {interpolate(edit.status === 'accepted' ? home.accepted : home.rejected, { title })}
      </a>
    )),
  ];
  if (items.length === 0) return null;
  return (
    <section class="card" aria-labelledby="attention">
      <h2 id="attention">{home.attention}</h2>
      <ul class="links">
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </section>
  );
}

function NewestArtworks({ viewContext, map: { newest } }: HomeSectionProps & { map: MapSummary }): VNode {
  const { home } = viewContext.messages;
  return (
    <section class="card" aria-labelledby="newest">
      <h2 id="newest">{home.newest}</h2>
      {newest.length === 0 && <p class="secondary">{home.noArtworks}</p>}
      <ul class="row-list plain-list">
        {newest.map(({ id, title, artists }) => (
          <li key={id}>
            <strong>{title}</strong> <span class="secondary">{artists.map(({ name }) => name).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenApps({ viewContext, apps }: HomeSectionProps & { apps: PublicApp[] }): VNode {
  const { messages, basePath } = viewContext;
  const { publicApps } = messages;
  return (
    <section class="card" aria-labelledby="apps">
      <h2 id="apps">{publicApps.title}</h2>
      {apps.length === 0 && <p class="secondary">{publicApps.none}</p>}
      {apps.length > 0 && (
        <>
          <PublicAppList viewContext={viewContext} apps={apps.slice(0, MAX_SHOWN_APPS)} />
          <p>
            <a href={`${basePath}/apps`}>{publicApps.all}</a>
          </p>
        </>
      )}
    </section>
  );
}

/** The links for developers of apps. */
function DeveloperLinks({ viewContext }: HomeSectionProps): VNode {
  const { messages, basePath } = viewContext;
  const { home, developer } = messages;
  return (
    <section class="card" aria-labelledby="build">
      <h2 id="build">{home.build}</h2>
      <p>{home.developersText}</p>
      <DocumentLinks viewContext={viewContext} />
      <p>
        <a href={`${basePath}/developer/apps`}>{developer.title}</a>
      </p>
    </section>
  );
}
