import type { ReceiptContent, ReceiptFact } from './content.ts';

/** The receipt as plain lines of at most `columns` signs: 32 for a 58 mm roll, 48 for one of 80 mm. */
export function receiptText(content: ReceiptContent, columns: number): string {
  const rule = '-'.repeat(columns);
  const centred = (text: string) => wrap(text, columns).map((line) => ' '.repeat(Math.floor((columns - widthOf(line)) / 2)) + line);
  const signature =
    content.signature === null
      ? []
      : ['', ...(content.signature.kind === 'line' ? [`X${'_'.repeat(columns - 1)}`] : centred(content.signature.words))];
  return [
    ...content.marks.flatMap((mark) => centred(`*** ${mark} ***`)),
    ...centred(content.heading),
    ...content.underHeading.flatMap(centred),
    rule,
    ...centred(content.title),
    ...content.facts.flatMap((fact) => pair(fact, columns)),
    rule,
    ...content.items.flatMap((item) => wrap(item, columns)),
    ...pair(content.total, columns),
    rule,
    ...signature,
    ...centred(content.copyLine),
    ...content.footer.flatMap(centred),
    '',
  ].join('\n');
}

/** A label and its value on one line, the value to the right; on lines of their own where the paper is too narrow. */
function pair({ label, value }: ReceiptFact, columns: number): string[] {
  const gap = columns - widthOf(label) - widthOf(value);
  if (gap >= 1) return [label + ' '.repeat(gap) + value];
  return [label, ...wrap(value, columns).map((line) => ' '.repeat(columns - widthOf(line)) + line)];
}

/** Breaks at spaces, and inside a word only when it is longer than a line. */
function wrap(text: string, columns: number): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => chunks(part, columns))) {
    if (line === '') line = word;
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line += ` ${word}`;
    else {
      done.push(line);
      line = word;
    }
  }
  return [...done, line];
}

function chunks(word: string, columns: number): string[] {
  return widthOf(word) <= columns ? [word] : (word.match(new RegExp(`.{1,${columns}}`, 'gsu')) ?? []);
}

function widthOf(text: string): number {
  return [...text].length;
}
