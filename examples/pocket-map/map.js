import * as L from 'leaflet';

/** A background that the page draws itself, so that it needs no tile server: a grid of degrees. */
const DegreeGrid = L.GridLayer.extend({
  createTile({ x, y, z }) {
    const size = this.getTileSize();
    const tile = L.DomUtil.create('canvas');
    tile.width = size.x;
    tile.height = size.y;
    const context = tile.getContext('2d');
    context.fillStyle = '#eef3f1';
    context.fillRect(0, 0, size.x, size.y);
    context.strokeStyle = '#cbd8d4';
    context.strokeRect(0, 0, size.x, size.y);
    const corner = this._map.unproject([x * size.x, y * size.y], z);
    context.fillStyle = '#4d5f5b';
    context.font = '11px system-ui';
    context.fillText(`${corner.lat.toFixed(3)}, ${L.Util.wrapNum(corner.lng, [-180, 180], true).toFixed(3)}`, 6, 16);
    return tile;
  },
});

/** At a lower zoom level the map shows clusters. */
const FIRST_MARKER_ZOOM = 9;

/** Creates the map. @param onMove called when the view changed */
export function createMap(element, onMove) {
  const map = L.map(element, { center: [52.1, 5.0], zoom: 11, minZoom: 2, attributionControl: false });
  new DegreeGrid().addTo(map);
  const artworks = L.geoJSON(undefined, {
    pointToLayer: ({ properties }, position) => L.circleMarker(position, { radius: 9, ...getStyle(properties) }),
    onEachFeature: ({ properties }, layer) => layer.bindTooltip(escapeHtml(properties.title)),
  }).addTo(map);
  const route = L.polyline([], { color: '#a3142a' }).addTo(map);
  const clusters = L.layerGroup().addTo(map);
  const createCluster = ({ lat, lon, count }) => {
    const html = `${count}<span class="heard"> artworks and places. Show them</span>`;
    const icon = L.divIcon({ className: 'cluster', html, iconSize: [40, 40] });
    const open = () => map.setView([lat, lon], map.getZoom() + 3);
    const marker = L.marker([lat, lon], { icon }).on('click', open);
    return marker.on('keypress', ({ originalEvent: { key } }) => key === 'Enter' && open());
  };
  map.on('moveend', onMove);
  return {
    /** Returns the box of the view for the API, and the zoom level if it shows clusters. */
    getView: () => ({
      bbox: toBoundingBox(map.getBounds()),
      ...(map.getZoom() < FIRST_MARKER_ZOOM && { zoom: map.getZoom() }),
    }),
    showFeatures: (features) => {
      clusters.clearLayers();
      artworks.clearLayers().addData(features);
    },
    showClusters: (list) => {
      artworks.clearLayers();
      clusters.clearLayers();
      for (const cluster of list) clusters.addLayer(createCluster(cluster));
    },
    showRoute: (stops) => route.setLatLngs(stops.map(({ location: { lat, lon } }) => [lat, lon])),
    moveTo: ({ lat, lon }) => map.setView([lat, lon], 15),
  };
}

function getStyle({ kind, status }) {
  const fillColor = kind === 'place' ? '#5a4b8a' : '#0b6b5d';
  return { color: '#fff', weight: 2, fillColor, fillOpacity: status === 'gone' ? 0.35 : 1 };
}

/** Returns `west,south,east,north`. West is greater than east if the box crosses longitude 180. */
function toBoundingBox(bounds) {
  const isWholeWorld = bounds.getEast() - bounds.getWest() >= 360;
  const wrap = (longitude) => L.Util.wrapNum(longitude, [-180, 180], true);
  const [west, east] = isWholeWorld ? [-180, 180] : [wrap(bounds.getWest()), wrap(bounds.getEast())];
  const clamp = (latitude) => Math.max(-90, Math.min(90, latitude));
  return [west, clamp(bounds.getSouth()), east, clamp(bounds.getNorth())].map((value) => value.toFixed(6)).join();
}

function escapeHtml(text) {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}
