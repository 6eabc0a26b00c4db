import { callApi } from './api.js';
import { createClient, restoreUser } from './auth.js';
import { createMap } from './map.js';
import { Walk } from './walk.js';

const find = (id) => document.getElementById(id);

/** Runs an action and shows its error. */
async function run(action) {
  find('message').textContent = '';
  try {
    await action();
  } catch (error) {
    find('message').textContent =
      error.error === 'access_denied'
        ? 'You decided not to connect Pocket Map. Nothing was shared.'
        : error.status === 403
          ? 'You have not allowed Pocket Map to do that. Sign out and in again to allow more.'
          : error.message;
  }
}

await run(async () => {
  const client = createClient(await (await fetch('/config.json')).json());
  find('sign-in').onclick = () => run(() => client.signinRedirect());
  find('sign-out').onclick = () => run(() => client.signoutRedirect());
  find('sign-in').hidden = find('welcome').hidden = false;
  const user = await restoreUser(client);
  if (user) await showMap(client, user);
});

async function showMap(client, { profile }) {
  find('sign-in').hidden = find('welcome').hidden = true;
  for (const id of ['sign-out', 'map', 'nearby', 'walk']) find(id).hidden = false;
  find('person').textContent = profile.name ? `Signed in as ${profile.name}` : '';

  const walk = new Walk(client);
  const map = createMap(find('map'), (box) => run(() => showMarkers(box)));
  const showMarkers = async (box) => {
    const query = new URLSearchParams({ bbox: box, limit: 100 });
    const { features } = await callApi(client, `/api/markers?${query}`, { accept: 'application/geo+json' });
    map.showFeatures(features);
    find('markers').replaceChildren(...features.map(createMarkerItem));
  };
  const showWalk = async () => {
    const stops = await walk.list();
    map.showRoute(stops);
    find('stops').replaceChildren(...stops.map(createStop));
  };

  const createMarkerItem = ({ id, properties: { kind, title }, geometry: { coordinates } }) => {
    const [lon, lat] = coordinates;
    const item = createItem(title, () => map.moveTo({ lat, lon }));
    if (kind === 'artwork') item.prepend(createPicture(id));
    if (kind === 'artwork') item.append(createButton('Add to walk', title, () => walk.add(id).then(showWalk)));
    return item;
  };
  const createStop = ({ id, title, location }) => {
    const item = createItem(title, () => map.moveTo(location));
    item.prepend(createPicture(id));
    item.append(createButton('Remove', title, () => walk.remove(id).then(showWalk)));
    return item;
  };

  await Promise.all([showMarkers(map.getBox()), showWalk()]);
}

/** Creates a list item whose title shows the place on the map. */
function createItem(title, show) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.className = 'title';
  button.textContent = title;
  button.onclick = show;
  item.append(button);
  return item;
}

/** Creates a drawn picture of an artwork, always the same one for the same id. */
function createPicture(id) {
  const hash = [...id].reduce((sum, character) => (sum * 31 + character.codePointAt(0)) % 360_000, 7);
  const color = (turn) => `hsl(${(hash + turn) % 360} 65% 55%)`;
  const picture = document.createElement('span');
  picture.className = 'picture';
  picture.style.background = `conic-gradient(from ${hash % 180}deg at ${20 + (hash % 60)}% 60%, ${[0, 70, 190, 260].map(color)})`;
  return picture;
}

/**
 * Creates a button. Its accessible name contains the title, because many buttons have one label.
 */
function createButton(label, title, action) {
  const button = document.createElement('button');
  button.textContent = label;
  button.setAttribute('aria-label', `${label}: ${title}`);
  button.onclick = () => run(action);
  return button;
}
