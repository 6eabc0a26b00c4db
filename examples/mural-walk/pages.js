// The pages, each a title and a body. `safe` escapes the values, because users of the service write
// the texts of the API.

/** What each scope allows, after “You have not allowed this app to”. */
const PERMISSIONS = {
  openid: 'recognize you',
  profile: 'see your name',
  'markers:read': 'read artworks and places',
  'artists:read': 'read artists',
  'edits:read': 'read your suggestions',
  'edits:write': 'suggest changes',
  'edits:review': 'review suggestions',
  'collections:read': 'read your collections',
  'collections:write': 'change your collections',
};

class SafeHtml extends String {}

function html(strings, ...values) {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(escapeHtml)));
}

function escapeHtml(value) {
  if (value instanceof SafeHtml) return value;
  if (Array.isArray(value)) return value.map(escapeHtml).join('');
  const text = value || value === 0 ? String(value) : '';
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function renderLayout(grant, notice, [title, body]) {
  const links = { '/': 'Nearby', '/walk': 'Walk', '/edits': 'Suggestions', '/access': 'Access' };
  const nav = Object.entries(links).map(([path, label]) => html`<a href="${path}">${label}</a> `);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Mural Walk</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <a class="brand" href="/">Mural Walk</a>
          ${
            grant &&
            html`${renderFormButton('/sign-out', 'Sign out')}
              <nav aria-label="Pages">${nav}</nav>`
          }
        </header>
        <main>
          <h1>${title}</h1>
          ${notice && html`<p class="notice" role="status">${notice}</p>`} ${body}
        </main>
      </body>
    </html>`;
}

export function renderWelcomePage() {
  const body = html`<p>Find street art around a place, keep the artworks you like, and suggest changes to the map.</p>
    <p><a class="button" href="/sign-in">Sign in with the street art map</a></p>
    <p class="soft">
      You sign in on the map's site, which asks what this app may do for you. This app never sees your password.
    </p>`;
  return ['Walk from mural to mural', body];
}

export function renderDenialPage() {
  const body = html`<p>
      You decided not to connect Mural Walk. It cannot act for you, and nothing changed on the map. You can sign in
      again at any time.
    </p>
    <p><a class="button" href="/">Back to the start</a></p>`;
  return ['Mural Walk is not connected', body];
}

export function renderNearbyPage({ name }, { lat, lon }, markers) {
  const cities = {
    Halvenstad: [52.1, 5.02],
    'Null Harbour': [0, 0],
    'Tavu Point': [-16.8, 180],
    'Nordlys Bay': [69.65, 19],
  };
  const city = ([place, at]) => html`<a href="/?lat=${at[0]}&amp;lon=${at[1]}">${place}</a> `;
  const body = html`<p class="links">Places of the demo: ${Object.entries(cities).map(city)}</p>
    <details>
      <summary>Another place</summary>
      <form class="place">
        <label>Latitude <input name="lat" type="number" step="any" min="-90" max="90" required value="${lat}" /></label>
        <label
          >Longitude <input name="lon" type="number" step="any" min="-180" max="180" required value="${lon}"
        /></label>
        <button>Search here</button>
      </form>
    </details>
    <ol class="cards">
      ${markers.map((marker) => renderMarkerCard(marker, marker.kind === 'artwork' && renderAddToWalkButton(marker)))}
    </ol>
    <p class="soft">
      ${
        markers.length
          ? 'The nearest artworks and places within 50 km, at most 10.'
          : 'There is nothing on the map within 50 km.'
      }
    </p>`;
  // without the scope `profile` there is no name
  return [name ? `Nearby, ${name}` : 'Nearby', body];
}

export function renderArtworkPage(marker) {
  const statuses = ['present', 'damaged', 'gone', 'unknown'].map((status) => html`<option>${status}</option>`);
  const body = html`${renderPicture(marker)}
    <p>${renderMarkerFacts(marker)}</p>
    ${marker.description && html`<p>${marker.description}</p>`} ${renderAddToWalkButton(marker)}
    <h2>Suggest a change</h2>
    <form method="post" action="/artworks/${marker.id}/edits" class="card">
      <input type="hidden" name="version" value="${marker.version}" />
      <label
        >Status
        <select name="status">
          <option value="">No change</option>
          ${statuses}
        </select></label
      >
      <label>Year <input name="year" inputmode="numeric" placeholder="No change" /></label>
      <label>Reason <textarea name="comment" rows="2" maxlength="1000"></textarea></label>
      <button>Suggest the change</button>
    </form>`;
  return [marker.title, body];
}

export function renderArtistPage({ name, bio }, artworks) {
  return [
    name,
    html`<p>${bio}</p>
      <h2>Artworks</h2>
      <ol class="cards">
        ${artworks.map((marker) => renderMarkerCard(marker))}
      </ol>`,
  ];
}

export function renderWalkPage(items) {
  const one = ({ artwork: marker }) =>
    renderMarkerCard(marker, renderFormButton(`/artworks/${marker.id}/drop`, 'Remove', marker.title));
  const empty = html`<p>Nothing is on your walk yet. Add artworks to it from the page <a href="/">Nearby</a>.</p>`;
  return [
    'My walk',
    items.length
      ? html`<ol class="cards">
          ${items.map(one)}
        </ol>`
      : empty,
  ];
}

export function renderEditsPage(list) {
  const text = (value) => (value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value));
  const change = ({ field, from, to }) => `${field}: ${text(from)} → ${text(to)}`;
  const one = ({ id, type, status, targetType, targetId, createdAt, client, changes, comment }) => {
    const title = [type, ...changes.map(change)].join(' · ');
    return html`<li>
      <h2>${targetId ? html`<a href="/${targetType}s/${targetId}">${title}</a>` : title}</h2>
      <p>
        ${status} · <time datetime="${createdAt}">${createdAt.slice(0, 10)}</time> · with
        ${client?.name ?? 'a page of the map'}
      </p>
      ${comment && html`<p>“${comment}”</p>`}
      ${status === 'open' && renderFormButton(`/edits/${id}/accept`, 'Accept', title)}
    </li>`;
  };
  const empty = html`<p>You have not suggested a change yet. Open an artwork to suggest one.</p>`;
  return [
    'My suggestions',
    list.length
      ? html`<ol class="cards">
          ${list.map(one)}
        </ol>`
      : empty,
  ];
}

export function renderAccessPage({ scopes, expiresAt, refreshes }, allScopes) {
  const at = new Date(expiresAt).toISOString();
  const minutes = Number(Math.max(0, (expiresAt - Date.now()) / 60_000).toFixed(1));
  const one = (name) =>
    html`<li>
      ${PERMISSIONS[name]} ${scopes.includes(name) ? html`<b>allowed</b>` : renderScopeRequestLink(name, '/access')}
    </li>`;
  const body = html`<h2>Duration of the access</h2>
    <p>
      The map lets this app act for you until <time datetime="${at}">${at.slice(11, 19)} UTC</time>, ${minutes} minutes
      from now. Then this app renews the access by itself, until you remove it on the map. Renewals so far:
      ${refreshes}.
    </p>
    ${renderFormButton('/refresh', 'Renew now')}
    <h2>What this app may do</h2>
    <ul class="scopes">
      ${allScopes.map(one)}
    </ul>`;
  return ['Access', body];
}

/** Renders an error with one next step. */
export function renderErrorPage({
  sentence = 'The map sent an unexpected response. Try again later.',
  details = [],
  missingScope,
  signedIn,
  back,
}) {
  const signIn = html`<a class="button" href="/sign-in?${new URLSearchParams({ next: back })}">Sign in</a>`;
  const onward = missingScope ? renderScopeRequestLink(missingScope, back) : html`<a href="${back}">Go back</a>`;
  const message = missingScope ? `You have not allowed this app to ${PERMISSIONS[missingScope]}.` : sentence;
  const body = html`<p class="${missingScope ? 'notice' : 'problem'}" role="alert">${message}</p>
    ${
      details.length > 1 &&
      html`<ul>
        ${details.map((detail) => html`<li>${detail}</li>`)}
      </ul>`
    }
    <p>${signedIn ? onward : signIn}</p>`;
  return [missingScope ? 'Permission needed' : 'The request failed', body];
}

/** Renders a link that starts an authorization with one more scope than the granted ones. */
function renderScopeRequestLink(scope, next) {
  const query = new URLSearchParams({ ask: scope, next });
  return html`<a class="button" href="/sign-in?${query}"
    >Ask for permission<span class="heard"> to ${PERMISSIONS[scope]}</span></a
  >`;
}

/** Renders a form with one button; `about` distinguishes the button in its accessible name. */
function renderFormButton(action, label, about) {
  const heard = about && html`<span class="heard"> ${about}</span>`;
  return html`<form method="post" action="${action}"><button class="quiet">${label}${heard}</button></form>`;
}

/** Renders the picture of an artwork. The title beside it says what it is. */
function renderPicture({ id }) {
  return html`<img class="picture" src="/pictures/${id}" alt="" width="256" height="160" loading="lazy" />`;
}

function renderAddToWalkButton({ id, title }) {
  return renderFormButton(`/artworks/${id}/keep`, 'Add to my walk', title);
}

/** Renders a marker in a list. The kind is shown only for places. */
function renderMarkerCard(marker, action) {
  const { id, kind = 'artwork', title } = marker;
  const isArtwork = kind === 'artwork';
  const heading = isArtwork ? html`<a href="/artworks/${id}">${title}</a>` : title;
  return html`<li>
    ${isArtwork && renderPicture(marker)}
    <h2>${heading}</h2>
    <p>${renderMarkerFacts(marker)}</p>
    ${action}
  </li>`;
}

function renderMarkerFacts({ distanceMeters: meters, placeType, status, year, artists }) {
  const distance = meters < 1000 ? `${Math.round(meters)} m` : meters && `${(meters / 1000).toFixed(1)} km`;
  const by = artists.map(({ id, name }) => html`<a href="/artists/${id}">${name}</a>`);
  return [distance, placeType?.replaceAll('_', ' ') ?? status, year, ...by]
    .filter((fact) => fact)
    .map((fact, at) => html`${at > 0 && ' · '}${fact}`);
}
