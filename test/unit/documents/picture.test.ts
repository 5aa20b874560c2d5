import { crc32, deflateSync } from 'node:zlib';
import { decode, toRGBA8 } from '@cantoo/pdf-lib/upng';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPdf, qrPng } from '#core/platform/documents';
import { isDrawable, type Picture } from '#core/platform/received-files';
import { readLogo } from '../../../core/platform/received-files/logo.ts';
import { checkPng } from '../../../core/platform/received-files/picture.ts';
import { sized } from '../../support/tier.ts';

const HEAD = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns a PNG of 4 by 4 pixels, valid by default. */
function png({
  kind = 6,
  bits = 8,
  interlaced = false,
  size = 4,
  pixels = Buffer.alloc(4 * 17),
  more = [] as Buffer[],
  raw = undefined as Buffer | undefined,
} = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([bits, kind, 0, 0, interlaced ? 1 : 0], 8);
  const parts = [HEAD, chunk('IHDR', header), ...more, chunk('IDAT', raw ?? deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat(parts);
}

const pictureOf = (bytes: Buffer): Picture => ({ bytes, type: 'image/png' });
const PALETTE = chunk('PLTE', Buffer.alloc(12));
const TRANSPARENT = chunk('tRNS', Buffer.alloc(4));

async function drawn(picture: Picture): Promise<boolean> {
  let isDrawn = false;
  await createPdf({ title: 'x', author: 'y', language: 'en', footer: () => '' }, (sheet) => {
    isDrawn = sheet.picture(picture, { x: 50, width: 100, height: 40, alt: 'logo' });
  });
  return isDrawn;
}

test.each([
  ['with transparency', png()],
  ['without transparency', png({ kind: 2, pixels: Buffer.alloc(4 * 13) })],
  ['with a palette', png({ kind: 3, pixels: Buffer.alloc(4 * 5), more: [PALETTE] })],
  ['with a palette and transparency', png({ kind: 3, pixels: Buffer.alloc(4 * 5), more: [PALETTE, TRANSPARENT] })],
  // The seven passes over 4 by 4 pixels have 71 bytes including their filters.
  ['interlaced', png({ interlaced: true, pixels: Buffer.alloc(71) })],
])('draws a PNG file %s', async (_name, bytes) => {
  expect(await drawn(pictureOf(bytes))).toBe(true);
});

test('draws a QR code', async () => {
  expect(await drawn(pictureOf(await qrPng('https://pay.example/pay/1')))).toBe(true);
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['no picture', Buffer.from('<svg onload=alert(1)>')],
  ['cut off', png().subarray(0, 60)],
  ['with broken pixels', png({ raw: Buffer.from('not deflated') })],
  ['with too few pixels', png({ pixels: Buffer.alloc(20) })],
  ['with an unknown filter', png({ pixels: Buffer.alloc(4 * 17, 9) })],
  ['that unpacks to far more than it says', png({ pixels: Buffer.alloc(10_000_000) })],
  ['of more pixels than anybody has', png({ size: 60_000 })],
  ['of a palette that is not there', png({ kind: 3, pixels: Buffer.alloc(4 * 5) })],
  ['of an unknown kind', png({ kind: 5 })],
])('omits a picture %s and still renders the document', async (_name, bytes) => {
  expect(await drawn(pictureOf(bytes))).toBe(false);
});

test.each([
  ['interlaced and with few bits', { kind: 3, bits: 4, interlaced: true, pixels: Buffer.alloc(16), more: [PALETTE] }],
  ['transparent and with few bits', { kind: 3, bits: 4, pixels: Buffer.alloc(4 * 3), more: [PALETTE, TRANSPARENT] }],
])('stores a logo that is %s in a form that documents draw', async (_name, options) => {
  const bytes = png(options);
  expect(isDrawable(pictureOf(bytes))).toBe(false);
  expect(await drawn(pictureOf(readLogo('image/png', bytes)))).toBe(true);
});

test('stores a large logo in the size that documents draw, with the average of its colors', () => {
  const [size, green] = [960, [0, 200, 0, 255]];
  const row = Buffer.concat([Buffer.alloc(1), Buffer.from(Array.from({ length: size }, () => green).flat())]);
  const logo = readLogo('image/png', png({ size, pixels: Buffer.concat(Array.from({ length: size }, () => row)) }));
  expect(checkPng(logo)).toMatchObject({ width: 240, height: 240 });
  const [frame] = toRGBA8(decode(new Uint8Array(logo).buffer));
  expect([...new Uint8Array(frame ?? []).subarray(0, 4)]).toEqual(green);
});

test('keeps only the chunks of a PNG file that make the picture', () => {
  const { bytes } = checkPng(png({ more: [chunk('acTL', Buffer.alloc(8)), chunk('zTXt', Buffer.from('k\0\0bomb'))] }));
  expect(bytes).toEqual(checkPng(png()).bytes);
  expect(bytes.toString('latin1')).not.toMatch(/acTL|zTXt/);
});

test('draws only valid JPEG files', () => {
  const frame = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108001000100301220002110103110100', 'hex');
  expect(isDrawable({ bytes: frame, type: 'image/jpeg' })).toBe(true);
  expect(isDrawable({ bytes: Buffer.from('ffd8ffd9', 'hex'), type: 'image/jpeg' })).toBe(false);
  expect(isDrawable({ bytes: frame, type: 'image/webp' })).toBe(false);
});

test('survives any damage to a picture', async () => {
  const whole = png();
  const damage = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of damages) bytes[at] = byte;
      expect(await drawn(pictureOf(bytes))).toBeTypeOf('boolean');
    }),
    { numRuns: sized(30, 300) },
  );
});
