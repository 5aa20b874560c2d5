import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SCRIPT_FONTS } from '#shared/document-scripts';

/** Parts that one document contains at most: a text with all characters of the world must not become a large file. */
export const PARTS_OF_DOCUMENT_MAX = 24;
/** Parts that stay open. */
const PARTS_MAX = 120;

/** Part of a font that fontkit has opened. */
interface OpenFont {
  readonly variationAxes?: { readonly wght?: { readonly default: number } };
  hasGlyphForCodePoint(codePoint: number): boolean;
}

interface Family {
  readonly script: RegExp;
  readonly ranges: readonly { readonly first: number; readonly last: number; readonly file: string }[];
}

/** An open part of a font. */
export interface FallbackFont {
  /** Name under which a document registers it. */
  readonly name: string;
  readonly font: OpenFont;
  /** Weight of its outlines, which fontkit cannot change. */
  readonly weight: number;
}

const require = createRequire(import.meta.url);
const open = new Map<string, FallbackFont>();
let known: readonly Family[] | undefined;

/**
 * Returns the ranges of the parts of each font, read once. The script selects the font, because packages list ranges with characters that their font lacks. Parts of the Latin, Greek and Cyrillic letters are left out,
 * which Inter contains.
 */
function families(): readonly Family[] {
  known ??= SCRIPT_FONTS.map(([family, script]) => {
    const folder = dirname(require.resolve(`@fontsource-variable/${family}/package.json`));
    const parts = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Readonly<Record<string, string>>;
    const ranges = Object.entries(parts)
      .filter(([part]) => !/latin|cyrillic|greek|vietnamese/.test(part))
      .flatMap(([part, list]) => {
        const file = join(folder, 'files', `${family}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`);
        return list.split(',').map((range) => {
          const [first = 0, last = first] = range
            .slice('U+'.length)
            .split('-')
            .map((code) => Number.parseInt(code, 16));
          return { first, last, file };
        });
      });
    return { script, ranges };
  });
  return known;
}

function fileOf(codePoint: number): string | undefined {
  const character = String.fromCodePoint(codePoint);
  const family = families().find(({ script }) => script.test(character));
  return family?.ranges.find(({ first, last }) => codePoint >= first && codePoint <= last)?.file;
}

/** Opens the parts with the given characters. `openFont` opens a font file. Returns true if a part was opened. */
export async function loadFallbackFonts(codePoints: ReadonlySet<number>, openFont: (file: Buffer) => unknown): Promise<boolean> {
  const files = new Set([...codePoints].flatMap((codePoint) => fileOf(codePoint) ?? []));
  const wanted = [...files].slice(0, PARTS_OF_DOCUMENT_MAX).filter((file) => !open.has(file));
  if (wanted.length === 0) return false;
  const decompress = require('wawoff2/decompress.js') as (file: Uint8Array) => Promise<Uint8Array>;
  for (const file of wanted) {
    const font = openFont(Buffer.from(await decompress(readFileSync(file)))) as OpenFont;
    const oldest = open.keys().next().value;
    if (open.size >= PARTS_MAX && oldest !== undefined) open.delete(oldest);
    open.set(file, { name: `fallback ${file}`, font, weight: font.variationAxes?.wght?.default ?? 400 });
  }
  return true;
}

/** Returns the open font that contains all characters of a text; null if there is none. */
export function fallbackFontOf(characters: string): FallbackFont | null {
  const codePoints = [...characters].map((character) => character.codePointAt(0) ?? 0);
  const found = open.get(fileOf(codePoints[0] ?? 0) ?? '');
  return found !== undefined && codePoints.every((codePoint) => found.font.hasGlyphForCodePoint(codePoint)) ? found : null;
}
