// A drawn picture for each artwork. The photos of the demo do not exist, and a photo of another
// site would tell that site who looks at which artwork.
import { createHash } from 'node:crypto';

const PALETTES = [
  ['#0b6b5d', '#f2b134', '#d9542b', '#f4f1e8'],
  ['#1d5fa8', '#f28f3b', '#c8553d', '#fdf3e1'],
  ['#5a3f86', '#e8c547', '#4d9078', '#f7efe6'],
  ['#a3265f', '#3fb8af', '#ffd166', '#fbf6ef'],
];

/** Returns an SVG image, always the same one for the same id. */
export function drawPicture(id) {
  const bytes = createHash('sha256').update(id).digest();
  const [wall, ...colors] = PALETTES[bytes[0] % PALETTES.length];
  const shapes = Array.from({ length: 6 }, (_, index) => {
    const [x, y, size] = bytes.subarray(1 + index * 3, 4 + index * 3);
    const color = colors[index % colors.length];
    return index % 2
      ? `<circle cx="${x}" cy="${y % 160}" r="${18 + (size % 46)}" fill="${color}"/>`
      : `<path d="M${x} ${y % 160}l${20 + (size % 70)} ${size % 60}l-${size % 80} ${20 + (x % 60)}z" fill="${color}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 160"><path d="M0 0h256v160H0z" fill="${wall}"/>${shapes.join('')}</svg>`;
}
