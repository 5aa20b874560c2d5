import { type Align, type Element, HAIRLINE, PAGE, type Pen, type Tag, type TextStyle } from './pdf-pen.ts';

const CELL_PAD = 4;
const CELL: TextStyle = { size: 9.5 };

export interface PdfColumn {
  readonly title: string;
  /** Width in points; the column without a width takes the rest. */
  readonly width?: number;
  readonly align?: Align;
}

/** Colors of a table header. */
export interface PdfHead {
  readonly background: string;
  readonly textColor: string;
}

interface PlacedColumn extends PdfColumn {
  readonly x: number;
  /** Width without the padding. */
  readonly inner: number;
}

function placedColumns(columns: readonly PdfColumn[]): PlacedColumn[] {
  const rest = PAGE.right - PAGE.left - columns.reduce((sum, { width = 0 }) => sum + width, 0);
  let x: number = PAGE.left;
  return columns.map((column) => {
    const width = column.width ?? rest;
    const placed = { ...column, x: x + CELL_PAD, inner: width - 2 * CELL_PAD };
    x += width;
    return placed;
  });
}

/** Rows between two pauses of a long table. */
const BLOCK = 40;

/** Draws rows under a header that is repeated on every page. Yields after each block of rows. */
export function* drawTable(
  pen: Pen,
  columns: readonly PdfColumn[],
  rows: readonly (readonly string[])[],
  { background: ground, textColor: words }: PdfHead,
): Generator<void> {
  const { doc, root } = pen;
  const placed = placedColumns(columns);
  const headStyle: TextStyle = { size: 9, font: 'strong', color: words };
  const linesOfRow = (texts: readonly string[], style: TextStyle) =>
    placed.map(({ inner, align }, index) => pen.linesOf(texts[index] ?? '', { ...style, align }, inner));
  const heightOf = (lines: readonly string[][], style: TextStyle) =>
    Math.max(...lines.map(({ length }) => length)) * pen.lineHeight(style) + 2 * CELL_PAD;
  const titles = linesOfRow(
    placed.map(({ title }) => title),
    headStyle,
  );
  const headHeight = heightOf(titles, headStyle);
  const table = doc.struct('Table');
  const row = (fill: (into: Element) => void) => {
    const into = doc.struct('TR');
    fill(into);
    table.add(into);
  };
  const drawHead = (into: Element | null) => {
    pen.asArtifact(() => doc.rect(PAGE.left, pen.y, PAGE.right - PAGE.left, headHeight).fill(ground));
    pen.y += CELL_PAD;
    drawCells(pen, into, 'TH', placed, titles, headStyle);
    pen.y += CELL_PAD;
  };
  pen.ensureSpace(headHeight + 2 * pen.lineHeight(CELL));
  row(drawHead);
  pen.onNewPage = () => drawHead(null);
  for (const [index, texts] of rows.entries()) {
    if (index % BLOCK === BLOCK - 1) yield;
    const lines = linesOfRow(texts, CELL);
    const height = heightOf(lines, CELL);
    // A row is not split between pages, unless it is longer than half of one.
    if (height < (PAGE.bottom - PAGE.top) / 2) pen.ensureSpace(height);
    pen.y += CELL_PAD;
    row((into) => drawCells(pen, into, 'TD', placed, lines, CELL));
    pen.y += CELL_PAD;
    pen.asArtifact(() => doc.moveTo(PAGE.left, pen.y).lineTo(PAGE.right, pen.y).lineWidth(0.5).stroke(HAIRLINE));
  }
  pen.onNewPage = null;
  root.add(table);
}

/** Draws the cells of one row, line by line. A repeated header is not part of the document structure, so `into` is null. */
function drawCells(
  pen: Pen,
  into: Element | null,
  tag: Tag,
  columns: readonly PlacedColumn[],
  lines: readonly string[][],
  style: TextStyle,
): void {
  const elements = into === null ? null : columns.map(() => pen.doc.struct(tag));
  const height = Math.max(...lines.map(({ length }) => length));
  for (let lineIndex = 0; lineIndex < height; lineIndex += 1) {
    pen.ensureSpace(pen.lineHeight(style));
    columns.forEach(({ x, inner, align }, index) => {
      const line = lines[index]?.[lineIndex];
      if (line === undefined) return;
      const draw = () => pen.drawLine(line, { ...style, align }, x, inner);
      const element = elements?.[index];
      if (element) pen.drawMarked(element, tag, draw);
      else pen.asArtifact(draw, 'Pagination');
    });
    pen.y += pen.lineHeight(style);
  }
  for (const element of elements ?? []) into?.add(element);
}
