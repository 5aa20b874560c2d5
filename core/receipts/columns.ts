/** Characters that take two columns of a fixed-width line: East Asian scripts and pictographs. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Extended_Pictographic}/u;
const ASCII = /^[\x20-\x7E]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns of a fixed-width line that a text takes, counted high: marks on a letter count, since not every device sets them over it. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const sign of text) columns += WIDE.test(sign) ? 2 : 1;
  return columns;
}

/** Lines of at most `columns`: broken at spaces, and inside a word only where it is longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => chunks(part, columns))) {
    if (line === '') line = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= columns) line += ` ${word}`;
    else {
      done.push(line);
      line = word;
    }
  }
  return [...done, line];
}

function chunks(word: string, columns: number): string[] {
  if (columnsOf(word) <= columns) return [word];
  const done: string[] = [];
  let chunk = '';
  let taken = 0;
  for (const piece of piecesOf(word, columns)) {
    const width = columnsOf(piece);
    if (taken + width > columns) {
      done.push(chunk);
      chunk = '';
      taken = 0;
    }
    chunk += piece;
    taken += width;
  }
  return [...done, chunk];
}

/** Signs as people see them; one that is wider than a line goes to pieces. */
function piecesOf(word: string, columns: number): string[] {
  return [...graphemes.segment(word)].flatMap(({ segment }) => (columnsOf(segment) <= columns ? [segment] : [...segment]));
}
