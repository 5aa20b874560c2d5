/** Characters that take two columns of a fixed-width line: East Asian scripts and pictographs. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Extended_Pictographic}/u;
const ASCII = /^[\x20-\x7E]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the number of columns that a text needs on a fixed-width line, at the upper end: combining marks count, because not every device
 * sets them over the letter.
 */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Breaks a text into lines of at most `columns`, at spaces, and inside a word only if the word is longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => chunks(part, columns))) {
    if (line === '') line = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function chunks(word: string, columns: number): string[] {
  if (columnsOf(word) <= columns) return [word];
  const lines: string[] = [];
  let chunk = '';
  let usedColumns = 0;
  for (const piece of graphemesOf(word, columns)) {
    const width = columnsOf(piece);
    if (usedColumns + width > columns) {
      lines.push(chunk);
      chunk = '';
      usedColumns = 0;
    }
    chunk += piece;
    usedColumns += width;
  }
  return [...lines, chunk];
}

/** Returns the visible characters of a word. One that is wider than a line is split into code points. */
function graphemesOf(word: string, columns: number): string[] {
  return [...graphemes.segment(word)].flatMap(({ segment }) => (columnsOf(segment) <= columns ? [segment] : [...segment]));
}
