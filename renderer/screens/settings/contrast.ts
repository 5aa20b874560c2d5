/** Returns the WCAG relative luminance of a color such as #0F5C73. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrastOf(left: string, right: string): number {
  const [lighter, darker] = [luminance(left), luminance(right)].sort((one, other) => other - one) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const WHITE = '#FFFFFF';
export const READABLE = 4.5;

export const isColor = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

/** Returns the same hue, darkened until white text on it is readable. */
export function readable(color: string): string {
  let [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  const hex = () => `#${[red, green, blue].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
  while (contrastOf(hex(), WHITE) < READABLE) [red, green, blue] = [red * 0.95, green * 0.95, blue * 0.95];
  return hex().toUpperCase();
}
