import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';

/** A location with one or more markers. */
export interface MapPoint {
  lat: number;
  lon: number;
  count: number;
}

/** A region of the map, as the picture draws it: an island with a dot for each group of markers. */
export interface MapRegion {
  name: string;
  markerCount: number;
  points: MapPoint[];
}

/** Width of the picture, height of a row and size of the names, in units of the SVG. */
const LAYOUTS = {
  wide: { width: 1200, rowHeight: 300, fontSize: 20, maxColumns: 6 },
  narrow: { width: 600, rowHeight: 300, fontSize: 26, maxColumns: 2 },
};

/** The layouts of the picture: one row for wide screens, two columns for phones. */
export type MapLayout = keyof typeof LAYOUTS;

const SEA = '#12403f';
const GRID = '#185150';
const INK = '#fff3dc';
const LANDS = ['#d9480f', '#7b2d5b', '#a83a0b', '#0f6b66'];

/** Width of a character compared with the size of the font, for the widest scripts about 1. */
const CHARACTER_WIDTH = 0.68;

/** Space around an island, in units of the SVG. */
const MARGIN = 48;

/** Returns the picture of the map as an SVG file. */
export function renderMapPicture(regions: MapRegion[], layout: MapLayout): string {
  const { width, rowHeight, fontSize, maxColumns } = LAYOUTS[layout];
  const columns = Math.min(Math.max(regions.length, 1), maxColumns);
  const columnWidth = width / columns;
  const height = Math.max(Math.ceil(regions.length / columns), 1) * rowHeight;
  const labelHeight = fontSize * 3;
  const maxLength = Math.floor(columnWidth / fontSize / CHARACTER_WIDTH) - 1;
  return render(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <path fill={SEA} d={`M0 0h${width}v${height}H0z`} />
      <path stroke={GRID} stroke-width="2" d={drawGrid(width, height)} />
      <g font-family="system-ui, sans-serif" font-size={fontSize} font-weight="600" text-anchor="middle" fill={INK}>
        {regions.map(({ name, markerCount, points }, index) => (
          <g
            key={name}
            transform={`translate(${(index % columns) * columnWidth} ${Math.floor(index / columns) * rowHeight})`}
          >
            <Island
              points={points}
              width={columnWidth}
              height={rowHeight - labelHeight}
              land={LANDS[index % LANDS.length]!}
            />
            <text x={columnWidth / 2} y={rowHeight - labelHeight * 0.6}>
              {shorten(name, maxLength)}
            </text>
            <text x={columnWidth / 2} y={rowHeight - labelHeight * 0.18} font-weight="400">
              {markerCount}
            </text>
          </g>
        ))}
      </g>
    </svg>,
  );
}

/** A small map of some locations. It is a picture with a text alternative. */
export function DotMap({ points, label }: { points: MapPoint[]; label: string }): VNode {
  return (
    <svg class="dot-map" role="img" aria-label={label} viewBox="0 0 600 240">
      <path fill={SEA} d="M0 0h600v240H0z" />
      <path stroke={GRID} stroke-width="2" d={drawGrid(600, 240)} />
      <g fill={INK}>
        <Island points={points} width={600} height={240} land={LANDS[0]!} />
      </g>
    </svg>
  );
}

interface IslandProps {
  points: MapPoint[];
  width: number;
  height: number;
  land: string;
}

function Island({ points, width, height, land }: IslandProps): VNode {
  const placed = placePoints(points, width, height);
  return (
    <>
      <path fill={land} d={drawShore(placed)} />
      {placed.map(({ x, y, count }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={round(Math.min(3 + 1.5 * Math.sqrt(count), 14))} />
      ))}
    </>
  );
}

interface Point {
  x: number;
  y: number;
}

/** Fits the points into a box: equal distances on the ground are equal in both directions. */
function placePoints(points: MapPoint[], width: number, height: number): (Point & { count: number })[] {
  const westmost = findWestmost(points.map(({ lon }) => lon));
  const middleLat = spread(points.map(({ lat }) => lat)).middle;
  const shrink = Math.cos((middleLat * Math.PI) / 180);
  const flat = points.map(({ lat, lon, count }) => ({
    x: (lon < westmost ? lon + 360 : lon) * shrink,
    y: -lat,
    count,
  }));
  const [horizontal, vertical] = [spread(flat.map(({ x }) => x)), spread(flat.map(({ y }) => y))];
  const scale = Math.min((width - 2 * MARGIN) / horizontal.span, (height - 2 * MARGIN) / vertical.span);
  return flat.map(({ x, y, count }) => ({
    x: round(width / 2 + (x - horizontal.middle) * scale),
    y: round(height / 2 + (y - vertical.middle) * scale),
    count,
  }));
}

/** Returns the longitude east of the widest gap, in which the map is cut. */
function findWestmost(longitudes: number[]): number {
  const sorted = longitudes.toSorted((one, other) => one - other);
  const gaps = sorted.map((lon, index) => lon - (index === 0 ? sorted.at(-1)! - 360 : sorted[index - 1]!));
  return sorted[gaps.indexOf(Math.max(...gaps))]!;
}

/** The middle of some numbers, and the distance between the smallest and the largest, never 0. */
function spread(values: number[]): { middle: number; span: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { middle: (low + high) / 2, span: Math.max(high - low, 1e-6) };
}

/** Returns the path of a coast around all points: their convex hull with a margin, rounded. */
function drawShore(points: Point[]): string {
  const around = points.flatMap(({ x, y }, index) =>
    Array.from({ length: 8 }, (_, side) => {
      const [angle, radius] = [(side * Math.PI) / 4, 30 + (index % 3) * 6];
      return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
    }),
  );
  const hull = findConvexHull(around);
  const middles = hull.map((corner, index) => {
    const next = hull[(index + 1) % hull.length]!;
    return { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
  });
  const curves = hull.map((corner, index) => `Q${format(corner)} ${format(middles[index]!)}`);
  return `M${format(middles.at(-1)!)}${curves.join('')}z`;
}

/** Returns the corners of the convex hull of points (Andrew's monotone chain). */
function findConvexHull(points: Point[]): Point[] {
  const sorted = points.toSorted((one, other) => one.x - other.x || one.y - other.y);
  const half = (ordered: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Positive if the three points turn in one direction, negative in the other. */
function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function drawGrid(width: number, height: number): string {
  const lines = (length: number): number[] =>
    Array.from({ length: Math.ceil(length / 60) - 1 }, (_, index) => (index + 1) * 60);
  return [...lines(width).map((x) => `M${x} 0v${height}`), ...lines(height).map((y) => `M0 ${y}h${width}`)].join('');
}

function shorten(name: string, maxLength: number): string {
  const characters = [...name];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : name;
}

function format({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
