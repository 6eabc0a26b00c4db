import type { CollectionWithItemsResponse } from '../../map/collections/collection.dto.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import { PublicAppsLink } from '../../platform/views/navigation.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { DotMap } from './map-picture.js';
import { PublicAppList } from './public-apps.page.js';
import type { PublicApp } from './public-apps.service.js';

/** Renders a collection: its artworks in their order, with a map, and the apps that open it. */
export function renderCollectionPage(
  viewContext: ViewContext,
  { id, name, description, visibility, owner, items, page }: CollectionWithItemsResponse,
  apps: PublicApp[],
): View {
  const { messages, basePath } = viewContext;
  const { appRecord, publicApps, collection } = messages;
  const points = items.map(({ artwork }) => ({ ...artwork.location, count: 1 }));
  return {
    title: name,
    body: (
      <>
        <p class="lead">{interpolate(collection.by, { owner: owner.username })}</p>
        {description && <p>{description}</p>}
        {points.length > 0 && <DotMap points={points} label={interpolate(collection.map, { name })} />}
        <section class="card" aria-labelledby="artworks">
          <h2 id="artworks">{appRecord.artworks}</h2>
          {items.length === 0 && <p>{appRecord.noArtworks}</p>}
          <ol class="artworks">
            {items.map(({ artwork, note }) => (
              <li key={artwork.id}>
                {artwork.title} <span class="secondary">{artwork.artists.map((artist) => artist.name).join(', ')}</span>
                {note && <p class="secondary">{note}</p>}
              </li>
            ))}
          </ol>
          {page.nextCursor && (
            <p>
              <a rel="next" href={`${basePath}/collections/${id}?${new URLSearchParams({ cursor: page.nextCursor })}`}>
                {appRecord.more}
              </a>
            </p>
          )}
          {visibility === 'private' && <p class="secondary">{appRecord.private}</p>}
        </section>
        <section class="card" aria-labelledby="open-in-app">
          <h2 id="open-in-app">{collection.openInApp}</h2>
          {apps.length > 0 ? (
            <PublicAppList viewContext={viewContext} apps={apps} />
          ) : (
            <>
              <p class="secondary">{publicApps.none}</p>
              <PublicAppsLink viewContext={viewContext} />
            </>
          )}
        </section>
      </>
    ),
  };
}
