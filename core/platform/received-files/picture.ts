import { crc32, inflateSync } from 'node:zlib';
import { FileRefused, LIMITS } from './refusal.ts';

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** A picture with its bytes. */
export interface Picture {
  readonly bytes: Buffer;
  readonly type: PictureType;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/=]+)$/;

/** Returns the picture of a data URL; null for any other address, for null, and for data that is not a picture. */
export function pictureOf(url: string | null): Picture | null {
  const [, type, data] = DATA_URL.exec(url ?? '') ?? [];
  if (type === undefined || data === undefined) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length === 0 ? null : { bytes, type: type as PictureType };
}

/** Size of a picture as its head states it. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEAD_LENGTH = 13;
/** Samples per pixel by color type. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PNG_BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16]);
const PALETTE = 3;
const FILTERS = 5;
/** Chunks that make the picture. The others are not copied: animations, and texts and profiles that are compressed once more. */
const PNG_CHUNKS = ['PLTE', 'tRNS'] as const;
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

/** A PNG file whose pixels are complete, reduced to the chunks that make the picture. */
export interface CheckedPng extends PictureSize {
  readonly bytes: Buffer;
  /** True if a PDF takes the pixels as they are: no transparency, and not interlaced. */
  readonly isPlain: boolean;
  /** True if each sample has whole bytes, which pdfkit needs for pictures that are not plain. */
  readonly hasWholeBytes: boolean;
}

const damaged = () => new FileRefused('The file cannot be read. It is damaged or incomplete.');

function checkSize({ width, height }: PictureSize, pixelsMax: number = LIMITS.picturePixels): void {
  if (width === 0 || height === 0) throw damaged();
  if (width > LIMITS.pictureSide || height > LIMITS.pictureSide || width * height > pixelsMax)
    throw new FileRefused(
      `The picture has ${width} by ${height} pixels. At most ${pixelsMax / 1_000_000} million pixels are accepted. Save it in a smaller size.`,
    );
}

/** Checks a PNG file without allocating more than its head states, which is limited. @throws FileRefused. */
export function checkPng(bytes: Buffer, pixelsMax?: number): CheckedPng {
  const chunks = chunksOf(bytes);
  const head = chunks.get('IHDR')?.[0];
  if (head?.length !== HEAD_LENGTH) throw damaged();
  const [width, height, bits, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head.readUInt8(8), head.readUInt8(9)];
  const isInterlaced = head.readUInt8(12) === 1;
  const samples = PNG_SAMPLES[kind];
  checkSize({ width, height }, pixelsMax);
  if (samples === undefined || !PNG_BITS.has(bits)) throw damaged();
  if (!chunks.has('IEND') || (kind === PALETTE && !chunks.has('PLTE'))) throw damaged();
  const data = Buffer.concat(chunks.get('IDAT') ?? []);
  checkPixels(data, { width, height, bits: samples * bits, isInterlaced });
  const kept = PNG_CHUNKS.flatMap((name) => (chunks.get(name) ?? []).slice(0, 1).map((content) => chunk(name, content)));
  return {
    width,
    height,
    bytes: Buffer.concat([PNG_SIGNATURE, chunk('IHDR', head), ...kept, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]),
    isPlain: !isInterlaced && !chunks.has('tRNS') && kind !== 4 && kind !== 6,
    hasWholeBytes: bits >= 8,
  };
}

/** Checks that the pixels are complete, and that each row begins with a known filter. */
function checkPixels(data: Buffer, { width, height, bits, isInterlaced }: PictureSize & { bits: number; isInterlaced: boolean }): void {
  const passes = (isInterlaced ? ADAM7 : [[0, 0, 1, 1] as const]).map(([x, y, dx, dy]) => ({
    rowBytes: 1 + Math.ceil((Math.ceil(Math.max(0, width - x) / dx) * bits) / 8),
    rows: width > x ? Math.ceil(Math.max(0, height - y) / dy) : 0,
  }));
  const expected = passes.reduce((sum, { rowBytes, rows }) => sum + rowBytes * rows, 0);
  if (expected > LIMITS.pictureBytes + height)
    throw new FileRefused('The picture has more than four bytes for each of its pixels. Save it with 8 bits for each color.');
  const pixels = inflated(data, expected);
  if (pixels?.length !== expected) throw damaged();
  let at = 0;
  for (const { rowBytes, rows } of passes) {
    for (let row = 0; row < rows; row += 1) {
      if ((pixels[at] ?? FILTERS) >= FILTERS) throw damaged();
      at += rowBytes;
    }
  }
}

function inflated(data: Buffer, bytesMax: number): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: bytesMax });
  } catch {
    return null;
  }
}

function chunksOf(bytes: Buffer): ReadonlyMap<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return chunks;
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length && !chunks.has('IEND'); ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    const known = chunks.get(name);
    if (known) known.push(content);
    else chunks.set(name, [content]);
    at += 12 + length;
  }
  return chunks;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Stored logos and QR codes have fewer. */
const DRAWN_PIXELS_MAX = 250_000;

/** Returns true if a PDF can contain the picture: a complete PNG or JPEG of a stored size. A broken one would crash the process later. */
export function isDrawable({ bytes, type }: Picture): boolean {
  try {
    if (type === 'image/jpeg') checkJpeg(bytes);
    if (type !== 'image/png') return type === 'image/jpeg';
    const { isPlain, hasWholeBytes } = checkPng(bytes, DRAWN_PIXELS_MAX);
    return isPlain || hasWholeBytes;
  } catch {
    return false;
  }
}

/** Checks the head of a JPEG file, whose pixels are never decoded here. @throws FileRefused. */
export function checkJpeg(bytes: Buffer): PictureSize {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw damaged();
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) throw damaged();
    if (!JPEG_FRAMES.has(bytes.readUInt8(at + 1))) continue;
    const [height, width, channels] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7), bytes.readUInt8(at + 9)];
    if (![1, 3, 4].includes(channels)) throw damaged();
    checkSize({ width, height });
    return { width, height };
  }
  throw damaged();
}

/** Checks the head of a WebP file, whose pixels are never decoded here. @throws FileRefused. */
export function checkWebp(bytes: Buffer): PictureSize {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') throw damaged();
  const size = webpSize(bytes);
  if (size === null) throw damaged();
  checkSize(size);
  return size;
}

function webpSize(bytes: Buffer): PictureSize | null {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
