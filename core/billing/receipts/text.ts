import { columnsOf, wrap } from './columns.ts';
import type { ReceiptContent, ReceiptFact } from './content.ts';

/** A line of a receipt on fixed-width paper; printed in bold if marked so and the device can. */
export interface ReceiptLine {
  readonly text: string;
  readonly isBold: boolean;
}

/** Returns the receipt as lines of at most `columns`: 32 for a 58 mm roll, 48 for one of 80 mm. */
export function receiptLines(content: ReceiptContent, columns: number): ReceiptLine[] {
  const plainLines = (lines: readonly string[]) => lines.map((text) => ({ text, isBold: false }));
  const boldLines = (lines: readonly string[]) => lines.map((text) => ({ text, isBold: true }));
  const centered = (text: string) => wrap(text, columns).map((line) => ' '.repeat(Math.floor((columns - columnsOf(line)) / 2)) + line);
  const rule = plainLines(['-'.repeat(columns)]);
  const { signature } = content;
  const sign =
    signature === null
      ? []
      : ['', ...(signature.kind === 'line' ? ['', `X${'_'.repeat(columns - 1)}`, signature.text] : centered(signature.text)), ''];
  return [
    ...boldLines(content.marks.flatMap((mark) => centered(`*** ${mark} ***`))),
    ...boldLines(centered(content.heading)),
    ...plainLines(content.headingLines.flatMap(centered)),
    ...rule,
    ...boldLines(centered(content.title)),
    ...plainLines(content.facts.flatMap((fact) => pair(fact, columns))),
    ...rule,
    ...plainLines(content.items.flatMap((item) => wrap(item, columns))),
    ...plainLines(content.lines.flatMap((line) => pair(line, columns))),
    ...(content.lines.length > 0 ? rule : []),
    ...plainLines(content.amounts.flatMap((amount) => pair(amount, columns))),
    ...boldLines(pair(content.total, columns)),
    ...(content.payments ? rule : []),
    ...plainLines((content.payments ?? []).flatMap((payment) => pair(payment, columns))),
    ...plainLines(content.blanks.flatMap((label) => ['', `${label} ${'_'.repeat(columns - columnsOf(label) - 1)}`])),
    ...rule,
    ...plainLines([...sign, ...centered(content.copyLine), ...content.footer.flatMap(centered)]),
  ];
}

/** Returns the receipt as plain text with at most `columns` characters per line. */
export function receiptText(content: ReceiptContent, columns: number): string {
  return [...receiptLines(content, columns).map(({ text }) => text), ''].join('\n');
}

/** Returns a label with its right-aligned value on one line, or on two lines if the paper is too narrow. */
function pair({ label, value }: ReceiptFact, columns: number): string[] {
  const gap = columns - columnsOf(label) - columnsOf(value);
  if (gap >= 1) return [label + ' '.repeat(gap) + value];
  return [...wrap(label, columns), ...wrap(value, columns).map((line) => ' '.repeat(columns - columnsOf(line)) + line)];
}
