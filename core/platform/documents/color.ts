type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#([0-9a-f]{6})$/i;
const STEPS = 50;

/** Returns true if the text is a color such as `#0F5C73`. */
export function isColor(text: string): boolean {
  return HEX.test(text);
}

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(HEX.exec(hex)?.[1] ?? '000000', 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(left: Rgb, right: Rgb): number {
  const [a, b] = [luminance(left), luminance(right)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the color nearest to `hex` that has the contrast `ratio` with `onHex` (WCAG 2.2); black or white if none has. */
export function readableColor(hex: string, onHex: string, ratio = 4.5): string {
  const wanted = rgbOf(hex);
  const on = rgbOf(onHex);
  const black: Rgb = [0, 0, 0];
  const white: Rgb = [255, 255, 255];
  const towards = contrast(black, on) > contrast(white, on) ? black : white;
  for (let step = 0; step <= STEPS; step += 1) {
    const share = step / STEPS;
    const mixed = wanted.map((part, index) => Math.round(part + ((towards[index] as number) - part) * share)) as [number, number, number];
    if (contrast(mixed, on) >= ratio) return hexOf(mixed);
  }
  return hexOf(towards);
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
