import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

const FILES = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
} as const;
export type FontName = keyof typeof FILES;
/** pdfkit is loaded with the first document. */
export type PDFDocumentClass = typeof PDFDocument;

const { resolve } = createRequire(import.meta.url);

/** Replacement for characters that Inter contains neither themselves nor in a compatible form, such as "fi" for a ligature. */
const MISSING = '\u25a1';
const PLAIN_LATIN = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const covered = new Map<number, boolean>();

/** A text as glyphs of a font. pdfkit scales the positions in place. */
interface GlyphRun {
  readonly positions: readonly object[];
}

/** Part of a font that fontkit has opened. */
interface OpenFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string, features?: object): GlyphRun;
}

/** Words whose layout is remembered. */
const WORDS_MAX = 5_000;

let opened: Readonly<Record<FontName, OpenFont>> | undefined;

/** Returns the fonts, opened once: reading their tables and applying them to words takes most of the time of a document. */
function openFonts(Document: PDFDocumentClass): Readonly<Record<FontName, OpenFont>> {
  opened ??= { regular: openFont(Document, 'regular'), strong: openFont(Document, 'strong') };
  return opened;
}

/** Opens a font with pdfkit, whose types omit the result. */
function openFont(Document: PDFDocumentClass, name: FontName): OpenFont {
  const doc = new Document({ autoFirstPage: false }).font(readFileSync(resolve(FILES[name])));
  const { font } = (doc as unknown as { readonly _font: { readonly font: OpenFont } })._font;
  rememberWords(font);
  return font;
}

/** Makes a font remember the layout of words, as pdfkit does within one document. */
function rememberWords(font: OpenFont): void {
  const lay = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (text, features) => {
    const key = `${JSON.stringify(features)} ${text}`;
    let run = known.get(key);
    if (run === undefined) {
      run = lay(text, features);
      if (known.size >= WORDS_MAX) known.clear();
      known.set(key, run);
    }
    return copyOf(run, { positions: run.positions.map((position) => copyOf(position)) });
  };
}

/** Returns a copy with the same getters. */
function copyOf<Copied extends object>(original: Copied, changes: Partial<Copied> = {}): Copied {
  return Object.assign(Object.create(Object.getPrototypeOf(original)) as Copied, original, changes);
}

/** Adds the fonts to a document. Returns a function that replaces characters that the fonts do not contain. */
export function addFonts(doc: PDFKit.PDFDocument, Document: PDFDocumentClass): (text: string) => string {
  const fonts = openFonts(Document);
  // pdfkit also takes open fonts, which its types omit.
  for (const [name, font] of Object.entries(fonts)) doc.registerFont(name, font as unknown as Buffer);
  doc.font('regular');
  // Both weights contain the same characters.
  const { regular } = fonts;
  const isCovered = (character: string): boolean => {
    const codePoint = character.codePointAt(0) ?? 0;
    const known = covered.get(codePoint);
    if (known !== undefined) return known;
    const hasGlyph = regular.hasGlyphForCodePoint(codePoint);
    covered.set(codePoint, hasGlyph);
    return hasGlyph;
  };
  const covering = (segment: string): string | null => ([...segment].every(isCovered) ? segment : null);
  return (text) => {
    if (PLAIN_LATIN.test(text)) return text;
    const segments = [...graphemes.segment(text.normalize('NFC'))];
    return segments.map(({ segment }) => covering(segment) ?? covering(segment.normalize('NFKC')) ?? MISSING).join('');
  };
}
