import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';
import { type FallbackFont, fallbackFontOf, loadFallbackFonts, PARTS_OF_DOCUMENT_MAX } from './fallback-fonts.ts';
import { runsOf, type TextRun } from './pdf-runs.ts';

const FILES = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
} as const;
export type FontName = keyof typeof FILES;
/** pdfkit is loaded with the first document. */
export type PDFDocumentClass = typeof PDFDocument;

const { resolve } = createRequire(import.meta.url);

/** Replacement for characters that no font contains, neither themselves nor in a compatible form, such as "fi" for a ligature. */
const MISSING = '\u25a1';
/** Selects a colored form of a sign, which fonts of documents do not have. */
const VARIANT = /[\uFE00-\uFE0F]/g;
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

/** Font features that place marks by anchors. */
const WITHOUT_ANCHORS = { mark: false, mkmk: false, curs: false } as const;

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
  const font = openFile(Document, readFileSync(resolve(FILES[name])));
  rememberWords(font);
  return font;
}

function openFile(Document: PDFDocumentClass, file: Buffer): OpenFont {
  const doc = new Document({ autoFirstPage: false }).font(file);
  const { font } = (doc as unknown as { readonly _font: { readonly font: OpenFont } })._font;
  const lay = font.layout.bind(font);
  font.layout = (text, features) => {
    try {
      return lay(text, features);
    } catch {
      // fontkit fails at a mark for which the font has no anchor on its letter, such as the dot of U+06A3.
      return lay(text, { ...features, ...WITHOUT_ANCHORS });
    }
  };
  return font;
}

/** Opens fonts for characters that documents lacked. Returns true if there are any. */
export const loadFonts = (Document: PDFDocumentClass, missing: ReadonlySet<number>): Promise<boolean> =>
  loadFallbackFonts(missing, (file) => openFile(Document, file));

/** Fonts of a document. */
interface DocumentFonts {
  /** Returns a text without characters that no font contains. */
  printable(text: string): string;
  /** Returns the runs of a printable text, from left to right. */
  runs(text: string): readonly TextRun<FallbackFont>[];
  /** Characters that no open font contains. */
  readonly missing: ReadonlySet<number>;
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

/** Adds the fonts to a document. Other fonts than Inter are added when they are needed. */
export function addFonts(doc: PDFKit.PDFDocument, Document: PDFDocumentClass): DocumentFonts {
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
  const isInInter = (segment: string) => [...segment].every(isCovered);
  const missing = new Set<number>();
  const added = new Set<string>();
  const fallbackOf = (segment: string): FallbackFont | null => {
    const found = fallbackFontOf(segment);
    if (found !== null && !added.has(found.name)) {
      if (added.size >= PARTS_OF_DOCUMENT_MAX) return null;
      doc.registerFont(found.name, found.font as unknown as Buffer);
      added.add(found.name);
    }
    return found;
  };
  const covering = (segment: string): string | null => {
    if (isInInter(segment)) return segment;
    const letters = segment.replaceAll(VARIANT, '');
    if (letters !== '' && (isInInter(letters) || fallbackOf(letters) !== null)) return letters;
    return null;
  };
  const replaced = (segment: string): string => {
    const shown = covering(segment) ?? covering(segment.normalize('NFKC'));
    if (shown === null) for (const character of segment) missing.add(character.codePointAt(0) ?? 0);
    return shown ?? MISSING;
  };
  return {
    missing,
    printable: (text) =>
      PLAIN_LATIN.test(text) ? text : Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => replaced(segment)).join(''),
    runs: (text) =>
      PLAIN_LATIN.test(text) ? [{ text, font: null }] : runsOf(text, (segment) => (isInInter(segment) ? null : fallbackOf(segment))),
  };
}
