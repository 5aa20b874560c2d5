import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const FILES = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
} as const;
export type FontName = keyof typeof FILES;

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<FontName, Buffer>();

function fontBytes(name: FontName): Buffer {
  const known = loaded.get(name);
  if (known) return known;
  const bytes = readFileSync(resolve(FILES[name]));
  loaded.set(name, bytes);
  return bytes;
}

/** Replacement for characters that Inter does not contain. */
const MISSING = '\u25a1';
const PLAIN_LATIN = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const covered = new Map<number, boolean>();

/** Part of pdfkit's open font that its types omit. */
interface OpenFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** Adds the fonts to a document. Returns a function that replaces characters that the fonts do not contain. */
export function addFonts(doc: PDFKit.PDFDocument): (text: string) => string {
  for (const name of Object.keys(FILES) as FontName[]) doc.registerFont(name, fontBytes(name));
  doc.font('regular');
  // Both weights contain the same characters.
  const { font } = (doc as unknown as OpenFont)._font;
  const isCovered = (character: string): boolean => {
    const codePoint = character.codePointAt(0) ?? 0;
    const known = covered.get(codePoint);
    if (known !== undefined) return known;
    const hasGlyph = font.hasGlyphForCodePoint(codePoint);
    covered.set(codePoint, hasGlyph);
    return hasGlyph;
  };
  return (text) => {
    if (PLAIN_LATIN.test(text)) return text;
    const segments = [...graphemes.segment(text.normalize('NFC'))];
    return segments.map(({ segment }) => ([...segment].every(isCovered) ? segment : MISSING)).join('');
  };
}
