import { callApi } from './api.js';
import { createClient, restoreUser } from './auth.js';
import { MapCopy } from './copy.js';
import { createMap } from './map.js';
import { Walk } from './walk.js';

const find = (id) => document.getElementById(id);

/** Time between two reads of the feed of changes. */
const SYNCHRONIZATION_INTERVAL_MS = 5 * 60_000;

const MAX_FOUND = 20;

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
  const copy = await MapCopy.open();
  find('sign-out').onclick = () => run(() => copy.clear().then(() => client.signoutRedirect()));
  find('sign-in').hidden = find('welcome').hidden = false;
  const user = await restoreUser(client);
  if (user) await showMap(client, user, copy);
});

async function showMap(client, { profile }, copy) {
  find('sign-in').hidden = find('welcome').hidden = true;
  for (const id of ['sign-out', 'map', 'search', 'nearby', 'walk']) find(id).hidden = false;
  find('person').textContent = profile.name ? `Signed in as ${profile.name}` : '';

  const walk = new Walk(client);
  const map = createMap(find('map'), () => run(showView));
  const showView = async () => {
    const view = map.getView();
    const features = view.zoom === undefined ? await fetchFeatures(client, view) : [];
    const clusters = view.zoom === undefined ? [] : await fetchClusters(client, view);
    if (JSON.stringify(map.getView()) !== JSON.stringify(view)) return; // a later move shows its own markers
    const total = clusters.reduce((sum, { count }) => sum + count, 0);
    if (view.zoom === undefined) map.showFeatures(features);
    else map.showClusters(clusters);
    find('summary').textContent = total > 0 ? `${total} artworks and places. Zoom in to list them.` : '';
    find('markers').replaceChildren(...features.map(createMarkerItem));
  };
  const showWalk = async () => {
    const stops = await walk.list();
    map.showRoute(stops);
    find('stops').replaceChildren(...stops.map(createStop));
  };
  const synchronize = async () => {
    const error = await copy.synchronize(client).catch((reason) => reason);
    const saved = `${await copy.count()} artworks and places are saved on this device.`;
    find('copy').textContent = error ? `${saved} New ones could not be loaded.` : saved;
  };
  find('title').oninput = () =>
    run(async () => {
      const text = find('title').value.trim();
      const found = text ? await copy.find(text, MAX_FOUND) : [];
      find('found').replaceChildren(
        ...found.map(({ title, location }) => createItem(title, () => map.moveTo(location))),
      );
    });

  const createMarkerItem = ({ id, properties: { kind, title }, geometry: { coordinates } }) => {
    const [lon, lat] = coordinates;
    const item = createItem(title, () => map.moveTo({ lat, lon }));
    if (kind === 'artwork') item.prepend(createPicture(id));
    if (kind === 'artwork') item.append(createButton('Add to walk', title, () => walk.add(id).then(showWalk)));
    return item;
  };
  const createStop = ({ id, title, location }, index, stops) => {
    const item = createItem(title, () => map.moveTo(location));
    item.prepend(createPicture(id));
    const move = (label, to) => {
      const ids = stops
        .map((stop) => stop.id)
        .toSpliced(index, 1)
        .toSpliced(to, 0, id);
      const button = createButton(label, title, () => walk.order(ids).then(showWalk));
      button.disabled = to < 0 || to >= stops.length;
      return button;
    };
    item.append(move('Up', index - 1), move('Down', index + 1));
    item.append(createButton('Remove', title, () => walk.remove(id).then(showWalk)));
    return item;
  };

  setInterval(synchronize, SYNCHRONIZATION_INTERVAL_MS);
  await Promise.all([showView(), showWalk(), synchronize()]);
}

async function fetchFeatures(client, { bbox }) {
  const query = new URLSearchParams({ bbox, limit: 100, fields: 'id,kind,status,title,location' });
  const { features } = await callApi(client, `/api/markers?${query}`, { accept: 'application/geo+json' });
  return features;
}

async function fetchClusters(client, view) {
  const { data } = await callApi(client, `/api/markers/clusters?${new URLSearchParams(view)}`);
  return data;
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
