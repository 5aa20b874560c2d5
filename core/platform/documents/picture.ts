import { inflateSync } from 'node:zlib';

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** A picture with its bytes. */
export interface Picture {
  readonly bytes: Buffer;
  readonly type: PictureType;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/=]+)$/;
const PIXELS_MAX = 4_000_000;
const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex');
const IHDR_END = 33;
/** Samples per pixel by color type. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PNG_BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16]);
const PALETTE = 3;
const FILTERS = 5;
/** Start and step of each pass of an interlaced picture. */
const ADAM7: readonly (readonly [x: number, y: number, dx: number, dy: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];
const JPEG_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Returns the picture of a data URL; null for any other address, for null, and for data that is not a picture. */
export function pictureOf(url: string | null): Picture | null {
  const [, type, data] = DATA_URL.exec(url ?? '') ?? [];
  if (type === undefined || data === undefined) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length === 0 ? null : { bytes, type: type as PictureType };
}

/** Returns true if a PDF can contain the picture: a complete PNG or JPEG of acceptable size. A broken one would crash the process later. */
export function isDrawable({ bytes, type }: Picture): boolean {
  try {
    if (type === 'image/png') return isWholePng(bytes);
    return type === 'image/jpeg' && isWholeJpeg(bytes);
  } catch {
    return false;
  }
}

function isWholePng(bytes: Buffer): boolean {
  if (bytes.length < IHDR_END || !bytes.subarray(0, PNG_HEAD.length).equals(PNG_HEAD) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return false;
  const [width, height, bits, kind] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes.readUInt8(24), bytes.readUInt8(25)];
  const isInterlaced = bytes.readUInt8(28) === 1;
  const samples = PNG_SAMPLES[kind];
  if (samples === undefined || !PNG_BITS.has(bits) || width === 0 || height === 0 || width * height > PIXELS_MAX) return false;
  const { data, chunks } = pngParts(bytes);
  if (!chunks.has('IEND') || (kind === PALETTE && !chunks.has('PLTE'))) return false;
  // pdfkit decodes these pixel by pixel, which works only if a sample has whole bytes.
  if (bits < 8 && (isInterlaced || chunks.has('tRNS'))) return false;
  const passes = (isInterlaced ? ADAM7 : [[0, 0, 1, 1] as const]).map(([x, y, dx, dy]) => ({
    rowBytes: 1 + Math.ceil((Math.ceil(Math.max(0, width - x) / dx) * samples * bits) / 8),
    rows: width > x ? Math.ceil(Math.max(0, height - y) / dy) : 0,
  }));
  const expected = passes.reduce((sum, { rowBytes, rows }) => sum + rowBytes * rows, 0);
  const pixels = inflateSync(data, { maxOutputLength: expected });
  return pixels.length === expected && hasKnownFilters(pixels, passes);
}

/** Returns true if every row starts with the number of a known filter. */
function hasKnownFilters(pixels: Buffer, passes: readonly { rowBytes: number; rows: number }[]): boolean {
  let at = 0;
  for (const { rowBytes, rows } of passes) {
    for (let row = 0; row < rows; row += 1) {
      if ((pixels[at] ?? FILTERS) >= FILTERS) return false;
      at += rowBytes;
    }
  }
  return true;
}

function pngParts(bytes: Buffer): { readonly data: Buffer; readonly chunks: ReadonlySet<string> } {
  const data: Buffer[] = [];
  const chunks = new Set<string>();
  for (let at = PNG_HEAD.length; at + 12 <= bytes.length && !chunks.has('IEND'); ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    chunks.add(kind);
    if (kind === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return { data: Buffer.concat(data), chunks };
}

function isWholeJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes.readUInt8(at + 1);
    if (JPEG_FRAMES.has(marker)) {
      const [height, width, channels] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7), bytes.readUInt8(at + 9)];
      return width > 0 && height > 0 && width * height <= PIXELS_MAX && [1, 3, 4].includes(channels);
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}
