import { setImmediate as pause } from 'node:timers/promises';
import { isDrawable, type Picture } from '#core/platform/received-files';
import { type Align, columnOf, HAIRLINE, PAGE, type Pen, type Tag, type TextStyle } from './pdf-pen.ts';
import { drawTable, type PdfColumn, type PdfHead } from './pdf-table.ts';
import { plain } from './plain.ts';

const LABEL_SHARE = 0.45;
const LABEL_GAP = 12;

interface PdfRow {
  readonly label: string;
  readonly value: string;
  readonly isStrong?: boolean;
}

interface PictureBox {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** Description of the picture. */
  readonly alt: string;
  /** Address that opens with a click on the picture. */
  readonly link?: string;
  readonly align?: Align;
}

/** A letter-size document, written from top to bottom over as many pages as needed. All text is sanitized. */
export interface PdfSheet {
  readonly left: number;
  readonly width: number;
  /** Leaves a vertical gap. */
  skip(points: number): void;
  /** Starts a new page if this height does not fit on the current one. */
  keepTogether(points: number): void;
  text(text: string, style?: TextStyle & { readonly tag?: Tag }): void;
  /** Draws columns side by side and continues below the longest. */
  beside(...columns: (() => void)[]): void;
  /** Draws labels at the left of a column and values at its right. */
  pairs(rows: readonly PdfRow[], style?: TextStyle): void;
  /** Draws rows under a header that is repeated on every page. */
  table(columns: readonly PdfColumn[], rows: readonly (readonly string[])[], head: PdfHead): void;
  /** Same as `table()`, with pauses in which the service answers other requests. */
  longTable(columns: readonly PdfColumn[], rows: readonly (readonly string[])[], head: PdfHead): Promise<void>;
  /** Draws a framed label. */
  stamp(label: string, color: string, style?: TextStyle): void;
  rule(style?: TextStyle): void;
  /** Draws a colored band across the top of the page. */
  band(color: string, height: number): void;
  /** Draws a picture. Returns false if it cannot be drawn. */
  picture(picture: Picture, box: PictureBox): boolean;
  /** Writes a clickable address. */
  link(url: string, style?: TextStyle): void;
}

export function sheetOf(pen: Pen): PdfSheet {
  const { doc, root } = pen;

  function text(content: string, { tag = 'P', ...style }: TextStyle & { readonly tag?: Tag } = {}): void {
    const { x, width } = columnOf(style);
    const element = doc.struct(tag);
    for (const line of pen.linesOf(content, style, width)) {
      pen.ensureSpace(pen.lineHeight(style));
      pen.drawMarked(element, tag, () => pen.drawLine(line, style, x, width));
      pen.y += pen.lineHeight(style);
    }
    root.add(element);
  }

  function pair({ label, value, isStrong = false }: PdfRow, textStyle: TextStyle): void {
    const { x, width } = columnOf(textStyle);
    const style: TextStyle = { ...textStyle, font: isStrong ? 'strong' : (textStyle.font ?? 'regular') };
    const labelStyle: TextStyle = { ...style, align: 'left', ...(isStrong ? {} : { color: 'quiet' }) };
    const valueStyle: TextStyle = { ...style, align: 'right' };
    const labels = pen.linesOf(label, labelStyle, width * LABEL_SHARE);
    const labelWidth = Math.max(...labels.map((line) => pen.widthOf(line, labelStyle))) + LABEL_GAP;
    const values = pen.linesOf(value, valueStyle, width - labelWidth);
    const element = doc.struct('P');
    for (let index = 0; index < Math.max(labels.length, values.length); index += 1) {
      pen.ensureSpace(pen.lineHeight(style));
      pen.drawMarked(element, 'P', () => {
        const [labelLine, valueLine] = [labels[index], values[index]];
        if (labelLine !== undefined) pen.drawLine(labelLine, labelStyle, x, width);
        if (valueLine !== undefined) pen.drawLine(valueLine, valueStyle, x, width);
      });
      pen.y += pen.lineHeight(style);
    }
    root.add(element);
  }

  return {
    left: PAGE.left,
    width: PAGE.right - PAGE.left,
    skip: (points) => {
      pen.y += points;
    },
    keepTogether: pen.ensureSpace,
    text,
    beside(...columns) {
      const top = pen.y;
      const ends = columns.map((column) => {
        pen.y = top;
        column();
        return pen.y;
      });
      pen.y = Math.max(...ends);
    },
    pairs(rows, style = {}) {
      for (const row of rows) pair(row, style);
    },
    table: (columns, rows, head) => void [...drawTable(pen, columns, rows, head)],
    async longTable(columns, rows, head) {
      for (const _ of drawTable(pen, columns, rows, head)) await pause();
    },
    stamp(label, color, textStyle = {}) {
      const style = { size: 12, ...textStyle, font: 'strong', color } as const;
      const column = columnOf(style);
      const set = { characterSpacing: 1, lineBreak: false } as const;
      const shown = pen.printable(label);
      const width = pen.set(style).widthOfString(shown, set) + 20;
      const free = column.width - width;
      const x = column.x + (style.align === 'right' ? free : style.align === 'center' ? free / 2 : 0);
      const height = pen.lineHeight(style) + 6;
      pen.ensureSpace(height + 2);
      pen.asArtifact(() => doc.roundedRect(x, pen.y, width, height, 3).lineWidth(1.5).stroke(color));
      const element = doc.struct('P');
      pen.drawMarked(element, 'P', () =>
        pen
          .set(style)
          .fillColor(color)
          .text(shown, x + 10, pen.y + 4, set),
      );
      root.add(element);
      pen.y += height + 2;
    },
    rule(style = {}) {
      const { x, width } = columnOf(style);
      pen.ensureSpace(8);
      const y = pen.y + 4;
      pen.asArtifact(() =>
        doc
          .moveTo(x, y)
          .lineTo(x + width, y)
          .lineWidth(0.5)
          .stroke(HAIRLINE),
      );
      pen.y += 8;
    },
    band: (color, height) => pen.asArtifact(() => doc.rect(0, 0, PAGE.width, height).fill(color)),
    picture(picture, { x, width, height, alt, link, align = 'left' }) {
      if (!isDrawable(picture)) return false;
      pen.ensureSpace(height);
      const element = doc.struct('Figure', { alt: plain(alt) });
      const placed = { fit: [width, height] as [number, number], ...(align === 'left' ? {} : { align }) };
      pen.drawMarked(element, 'Figure', () => doc.image(picture.bytes, x, pen.y, placed));
      root.add(element);
      if (link !== undefined) doc.link(x, pen.y, width, height, link);
      pen.y += height;
      return true;
    },
    link(url, style = {}) {
      const { x, width } = columnOf(style);
      const top = pen.y;
      text(url, { ...style, tag: 'Link' });
      if (pen.y > top) doc.link(x, top, width, pen.y - top, url);
    },
  };
}
