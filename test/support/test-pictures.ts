import sharp, { type Sharp } from 'sharp';
import { crc32, deflateSync } from 'node:zlib';

const RED = { r: 200, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 200 };

/** A picture of one color. */
export function drawPicture(width = 320, height = 200): Sharp {
  return sharp({ create: { width, height, channels: 3, background: RED } });
}

/** A JPEG that is red on the left and blue on the right, with a location and a rotation in EXIF. */
export async function drawRotatedJpeg(): Promise<Buffer> {
  const right = await sharp({ create: { width: 200, height: 400, channels: 3, background: BLUE } })
    .png()
    .toBuffer();
  return drawPicture(400, 400)
    .composite([{ input: right, left: 200, top: 0 }])
    .withExif({
      IFD0: { Copyright: 'secret-owner', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 5/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '5/1 7/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** A PNG of a few kilobytes whose header announces a huge size. */
export function buildPngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8); // one bit per pixel, in gray
  const rows = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)), { level: 9 });
  const chunks = [buildChunk('IHDR', header), buildChunk('IDAT', rows), buildChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
