import { columnsOf, wrap } from './columns.ts';
import type { ReceiptContent, ReceiptFact } from './content.ts';

/** A line of a receipt on fixed-width paper; what is loud is set in bold where the device can. */
export interface ReceiptLine {
  readonly text: string;
  readonly isLoud: boolean;
}

/** The receipt as lines of at most `columns`: 32 for a 58 mm roll, 48 for one of 80 mm. */
export function receiptLines(content: ReceiptContent, columns: number): ReceiptLine[] {
  const quiet = (lines: readonly string[]) => lines.map((text) => ({ text, isLoud: false }));
  const loud = (lines: readonly string[]) => lines.map((text) => ({ text, isLoud: true }));
  const centred = (text: string) => wrap(text, columns).map((line) => ' '.repeat(Math.floor((columns - columnsOf(line)) / 2)) + line);
  const rule = quiet(['-'.repeat(columns)]);
  const { signature } = content;
  const sign =
    signature === null
      ? []
      : ['', ...(signature.kind === 'line' ? ['', `X${'_'.repeat(columns - 1)}`, signature.words] : centred(signature.words)), ''];
  return [
    ...loud(content.marks.flatMap((mark) => centred(`*** ${mark} ***`))),
    ...loud(centred(content.heading)),
    ...quiet(content.underHeading.flatMap(centred)),
    ...rule,
    ...loud(centred(content.title)),
    ...quiet(content.facts.flatMap((fact) => pair(fact, columns))),
    ...rule,
    ...quiet(content.items.flatMap((item) => wrap(item, columns))),
    ...loud(pair(content.total, columns)),
    ...rule,
    ...quiet([...sign, ...centred(content.copyLine), ...content.footer.flatMap(centred)]),
  ];
}

/** The receipt as plain text of at most `columns` a line. */
export function receiptText(content: ReceiptContent, columns: number): string {
  return [...receiptLines(content, columns).map(({ text }) => text), ''].join('\n');
}

/** Returns a label with its right-aligned value on one line, or on two lines if the paper is too narrow. */
function pair({ label, value }: ReceiptFact, columns: number): string[] {
  const gap = columns - columnsOf(label) - columnsOf(value);
  if (gap >= 1) return [label + ' '.repeat(gap) + value];
  return [...wrap(label, columns), ...wrap(value, columns).map((line) => ' '.repeat(columns - columnsOf(line)) + line)];
}
