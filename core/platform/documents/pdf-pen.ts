import type { FallbackFont } from './fallback-fonts.ts';
import { addFonts, type FontName, type PDFDocumentClass } from './pdf-fonts.ts';
import type { TextRun } from './pdf-runs.ts';
import { plain } from './plain.ts';

const LETTER = { width: 612, height: 792 } as const;
const MARGIN = 54;
/** Height at the bottom of every page that is reserved for the page number. */
const FOOTER_HEIGHT = 36;
const LINE_HEIGHT = 1.4;
const AMOUNT = /^-?[\d.,]+( [A-Z]{3})?$/;
const X_BETWEEN_DIGITS = /\dx\d/;
const INK = '#16202a';
const WEIGHTS: Readonly<Record<FontName, number>> = { regular: 400, strong: 600 };
/** Width of the stroke for each unit of weight, as a share of the size: Noto Sans of weight 100 looks as that of weight 400 with 4.5 %. */
const STROKE_OF_WEIGHT = 0.00015;
const QUIET_INK = '#4a5560';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Letter-size page in points, with its margins. */
export const PAGE = {
  ...LETTER,
  left: MARGIN,
  right: LETTER.width - MARGIN,
  top: MARGIN,
  bottom: LETTER.height - MARGIN - FOOTER_HEIGHT,
} as const;
export const HAIRLINE = '#c9d1d8';

export type Align = 'left' | 'right' | 'center';

/** Style of a text. */
export interface TextStyle {
  readonly size?: number;
  readonly font?: FontName;
  /** `#rrggbb`, or `quiet` for secondary text. */
  readonly color?: string;
  readonly align?: Align;
  /** Horizontal position of the column; by default the full width. */
  readonly x?: number;
  readonly width?: number;
}

/** Structure tag of an element, for screen readers. */
export type Tag = 'P' | 'H1' | 'H2' | 'Figure' | 'Link' | 'TH' | 'TD';
export type Element = PDFKit.PDFStructureElement;

/** Writing position and drawing functions of a PDF document. */
export type Pen = ReturnType<typeof penOn>;

export function penOn(doc: PDFKit.PDFDocument, PDFDocument: PDFDocumentClass) {
  const fonts = addFonts(doc, PDFDocument);
  const root = doc.struct('Document');
  doc.addStructure(root);
  /** Options for font features. fontkit also accepts an object, which its types omit, and writes to it. */
  const featured = (features: Record<string, boolean>) => ({ features: features as unknown as PDFKit.Mixins.OpenTypeFeatures[] });
  /** Font features that align the digits of a column of amounts, and that keep an x between digits: the font would draw ×, which changes an ID. */
  const fontFeatures = ({ align }: TextStyle, text: string) => {
    if (align === 'right' && AMOUNT.test(text)) return featured({ calt: false, tnum: true });
    return X_BETWEEN_DIGITS.test(text) ? featured({ calt: false }) : {};
  };
  const set = ({ size = 10, font = 'regular' }: TextStyle) => doc.font(font).fontSize(size);
  const widths = new Map<string, number>();
  /** Cached widths: pdfkit caches them only for text without font features. */
  function widthOf(text: string, style: TextStyle): number {
    const { size = 10, font = 'regular', align } = style;
    const key = `${font} ${size} ${align === 'right'} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const runs = fonts.runs(text);
    const width = runs.reduce((sum, run) => sum + widthOfRun(run, style), 0);
    widths.set(key, width);
    return width;
  }
  function widthOfRun({ text, font }: TextRun<FallbackFont>, style: TextStyle): number {
    set(style);
    return font === null ? doc.widthOfString(text, fontFeatures(style, text)) : doc.font(font.name).widthOfString(text);
  }
  /** Draws a run in another font on the baseline of the line. Strokes around its letters give it the weight of the style. */
  function drawFallback(
    { text, font }: { readonly text: string; readonly font: FallbackFont },
    style: TextStyle,
    x: number,
    color: string,
  ) {
    const { size = 10, font: weight = 'regular' } = style;
    const { ascender } = (set(style) as unknown as { readonly _font: { readonly ascender: number } })._font;
    const stroke = Math.max(0, WEIGHTS[weight] - font.weight) * STROKE_OF_WEIGHT * size;
    doc.save();
    doc.font(font.name).lineWidth(stroke).lineJoin('round').strokeColor(color);
    const options = { lineBreak: false, baseline: 'alphabetic', ...(stroke > 0 && { fill: true, stroke: true }) } as const;
    doc.text(text, x, pen.y + (ascender / 1_000) * size, options);
    doc.restore();
  }
  const pen = {
    doc,
    root,
    /** Points from the top of the page to the next element. */
    y: PAGE.top as number,
    /** Draws the top of every page that begins during the callback. */
    onNewPage: null as (() => void) | null,
    /** Returns a sanitized text whose characters the font contains. */
    printable: (text: string) => fonts.printable(plain(text)),
    missing: fonts.missing,
    set,
    widthOf,
    lineHeight: ({ size = 10 }: TextStyle) => size * LINE_HEIGHT,
    /** Starts a new page if this height does not fit on the current one. */
    ensureSpace(points: number): void {
      if (pen.y + points <= PAGE.bottom || pen.y <= PAGE.top) return;
      doc.addPage();
      pen.y = PAGE.top;
      pen.onNewPage?.();
    },
    /** Marks decoration: lines, backgrounds and repeated parts. */
    asArtifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
      doc.markContent('Artifact', { type });
      draw();
      doc.endMarkedContent();
    },
    drawMarked(into: Element, tag: Tag, draw: () => void): void {
      const content = doc.markStructureContent(tag);
      draw();
      doc.endMarkedContent();
      into.add(content);
    },
    linesOf(text: string, style: TextStyle, width: number): string[] {
      return wrapped(pen.printable(text), width, (part) => widthOf(part, style));
    },
    /** Writes one line without moving the position. */
    drawLine(line: string, style: TextStyle, x: number, width: number): void {
      const { color = INK, align = 'left' } = style;
      const ink = color === 'quiet' ? QUIET_INK : color;
      const free = align === 'left' ? 0 : width - widthOf(line, style);
      let at = x + (align === 'center' ? free / 2 : free);
      for (const run of fonts.runs(line)) {
        const textWidth = widthOfRun(run, style);
        set(style).fillColor(ink);
        // With the width given, pdfkit does not measure again.
        const textOptions = { lineBreak: false, textWidth, wordCount: 1, ...fontFeatures(style, run.text) };
        if (run.font === null) doc.text(run.text, at, pen.y, textOptions);
        else drawFallback({ text: run.text, font: run.font }, style, at, ink);
        at += textWidth;
      }
    },
  };
  return pen;
}

/** Returns position and width of the column of a style. */
export function columnOf({ x = PAGE.left, width }: TextStyle): { readonly x: number; readonly width: number } {
  return { x, width: width ?? PAGE.right - x };
}

/** Breaks a text into lines no wider than `width`: at spaces, and inside a word only if it is longer than a line. */
function wrapped(text: string, width: number, widthOf: (part: string) => number): string[] {
  const space = widthOf(' ');
  const done: string[] = [];
  let line = '';
  let taken = 0;
  for (const piece of text.split(' ').flatMap((word) => piecesOf(word, width, widthOf))) {
    if (line !== '' && taken + space + piece.width > width) {
      done.push(line);
      line = '';
    }
    taken = line === '' ? piece.width : taken + space + piece.width;
    line = line === '' ? piece.text : `${line} ${piece.text}`;
  }
  return [...done, line];
}

function piecesOf(word: string, width: number, widthOf: (part: string) => number): { text: string; width: number }[] {
  const whole = widthOf(word);
  if (whole <= width) return [{ text: word, width: whole }];
  const done: { text: string; width: number }[] = [];
  let piece = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(word)) {
    const wide = widthOf(segment);
    if (piece !== '' && taken + wide > width) {
      done.push({ text: piece, width: taken });
      piece = '';
      taken = 0;
    }
    piece += segment;
    taken += wide;
  }
  return [...done, { text: piece, width: taken }];
}
