import { decode, encodeLL, toRGBA8 } from '@cantoo/pdf-lib/upng';
import { type CheckedPng, checkJpeg, checkPng, checkWebp, type PictureType } from './picture.ts';

/** Largest size of a stored logo. Documents draw logos at most 180 points wide, that is four pixels for each point. */
const LOGO_SIZE = { width: 720, height: 240 } as const;

/** Returns a logo as documents draw it: a PNG file is scaled down to the size that is drawn. @throws FileRefused. */
export function readLogo(type: PictureType, bytes: Buffer): Buffer {
  if (type === 'image/png') return drawableLogo(checkPng(bytes));
  if (type === 'image/jpeg') checkJpeg(bytes);
  else checkWebp(bytes);
  return bytes;
}

/** Decodes a PNG file once, so that no document has to: the result has 8 bits for each color, and is not interlaced. */
function drawableLogo({ bytes, width, height, isPlain }: CheckedPng): Buffer {
  const step = Math.max(1, Math.ceil(width / LOGO_SIZE.width), Math.ceil(height / LOGO_SIZE.height));
  if (step === 1 && isPlain) return bytes;
  const [pixels] = toRGBA8(decode(new Uint8Array(bytes).buffer));
  const size = { width: Math.max(1, Math.floor(width / step)), height: Math.max(1, Math.floor(height / step)) };
  const scaled = scaledDown(new Uint8Array(pixels ?? []), { width, height }, step, size);
  return Buffer.from(encodeLL([scaled.buffer as ArrayBuffer], size.width, size.height, 3, 1, 8));
}

/** Returns the average of each square of `step` pixels. Colors count by their opacity. */
function scaledDown(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
  step: number,
  to: { width: number; height: number },
): Uint8Array {
  const scaled = new Uint8Array(to.width * to.height * 4);
  for (let y = 0; y < to.height; y += 1) {
    for (let x = 0; x < to.width; x += 1) {
      const [rows, columns] = [Math.min(step, height - y * step), Math.min(step, width - x * step)];
      const sums = [0, 0, 0, 0];
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          const at = ((y * step + row) * width + x * step + column) * 4;
          const opacity = pixels[at + 3] ?? 0;
          for (const color of [0, 1, 2]) sums[color] = (sums[color] ?? 0) + (pixels[at + color] ?? 0) * opacity;
          sums[3] = (sums[3] ?? 0) + opacity;
        }
      }
      const opacity = sums[3] ?? 0;
      const colors = [0, 1, 2].map((color) => (opacity === 0 ? 0 : Math.round((sums[color] ?? 0) / opacity)));
      scaled.set([...colors, Math.round(opacity / (rows * columns))], (y * to.width + x) * 4);
    }
  }
  return scaled;
}
