const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines no wider than `width`: at spaces, and inside a word only if it is longer than a line. */
export function wrapped(text: string, width: number, widthOf: (part: string) => number): string[] {
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
