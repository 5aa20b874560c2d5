import { addFonts, type FontName } from './pdf-fonts.ts';
import { wrapped } from './pdf-wrap.ts';
import { plain } from './plain.ts';

const LETTER = { width: 612, height: 792 } as const;
const MARGIN = 54;
/** Kept free at the foot of every page for its number. */
const FOOT = 36;
const LINE_HEIGHT = 1.4;
const AMOUNT = /^-?[\d.,]+( [A-Z]{3})?$/;
const INK = '#16202a';
const QUIET_INK = '#4a5560';

/** Letter paper in points, with what is written on. */
export const PAGE = { ...LETTER, left: MARGIN, right: LETTER.width - MARGIN, top: MARGIN, bottom: LETTER.height - MARGIN - FOOT } as const;
export const HAIRLINE = '#c9d1d8';

export type Align = 'left' | 'right' | 'center';

/** Style of a text. */
export interface TextStyle {
  readonly size?: number;
  readonly font?: FontName;
  /** `#rrggbb`; `quiet` is for what is said beside the matter. */
  readonly color?: string;
  readonly align?: Align;
  /** Horizontal position of the column; by default the full width. */
  readonly x?: number;
  readonly width?: number;
}

/** Structure tag of an element, for screen readers. */
export type Tag = 'P' | 'H1' | 'H2' | 'Figure' | 'Link' | 'TH' | 'TD';
export type Element = PDFKit.PDFStructureElement;

/** Writing position and drawing functions, with which sheets are made. */
export type Pen = ReturnType<typeof penOn>;

export function penOn(doc: PDFKit.PDFDocument) {
  const spelled = addFonts(doc);
  const root = doc.struct('Document');
  doc.addStructure(root);
  /** The amounts of a column stand under each other. fontkit takes an object too, which its types do not say, and writes to it. */
  const shaping = ({ align }: TextStyle, text: string) =>
    align === 'right' && AMOUNT.test(text) ? { features: { calt: false, tnum: true } as unknown as PDFKit.Mixins.OpenTypeFeatures[] } : {};
  const set = ({ size = 10, font = 'regular' }: TextStyle) => doc.font(font).fontSize(size);
  const widths = new Map<string, number>();
  /** Cached widths: pdfkit caches them only for text without font features. */
  function widthOf(text: string, style: TextStyle): number {
    const { size = 10, font = 'regular', align } = style;
    const key = `${font} ${size} ${align === 'right'} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const width = set(style).widthOfString(text, shaping(style, text));
    widths.set(key, width);
    return width;
  }
  const pen = {
    doc,
    root,
    /** Points from the top of the page to the next thing. */
    y: PAGE.top as number,
    /** Draws the top of every page that begins during the callback. */
    onNewPage: null as (() => void) | null,
    /** A harmless text in the letters of the font. */
    spelled: (text: string) => spelled(plain(text)),
    set,
    widthOf,
    lineHeight: ({ size = 10 }: TextStyle) => size * LINE_HEIGHT,
    /** Goes to another page where so much does not fit on this one. */
    room(points: number): void {
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
    marked(into: Element, tag: Tag, draw: () => void): void {
      const content = doc.markStructureContent(tag);
      draw();
      doc.endMarkedContent();
      into.add(content);
    },
    linesOf(text: string, style: TextStyle, width: number): string[] {
      return wrapped(pen.spelled(text), width, (part) => widthOf(part, style));
    },
    /** Writes one line and stays where it is. */
    put(line: string, style: TextStyle, x: number, width: number): void {
      const { color = INK, align = 'left' } = style;
      set(style).fillColor(color === 'quiet' ? QUIET_INK : color);
      const textWidth = widthOf(line, style);
      const free = align === 'left' ? 0 : width - textWidth;
      // With the width given, pdfkit does not measure again.
      const told = { lineBreak: false, textWidth, wordCount: 1, ...shaping(style, line) };
      doc.text(line, x + (align === 'center' ? free / 2 : free), pen.y, told);
    },
  };
  return pen;
}

/** The column of a style. */
export function columnOf({ x = PAGE.left, width }: TextStyle): { readonly x: number; readonly width: number } {
  return { x, width: width ?? PAGE.right - x };
}
