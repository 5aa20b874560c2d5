/** A part of a line in one direction and one font. */
export interface TextRun<Font> {
  readonly text: string;
  /** Null for the font of the style. */
  readonly font: Font | null;
}

const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}/u;
const LETTER = /\p{L}/u;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '<': '>', '>': '<', '«': '»', '»': '«' };

type Direction = 'right-to-left' | 'left-to-right' | 'neutral';

/** Digits and punctuation belong to the words around them. */
const directionOf = (text: string): Direction =>
  RIGHT_TO_LEFT.test(text) ? 'right-to-left' : LETTER.test(text) ? 'left-to-right' : 'neutral';

interface DirectedRun<Font> {
  text: string;
  readonly font: Font | null;
  readonly direction: Direction;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Divides a line into runs in the order in which they are drawn from left to right. The line itself runs from left to right: words in Arabic and Hebrew, and
 * what is between them, are drawn in reverse order. The font turns the letters of a word around.
 */
export function runsOf<Font>(line: string, fontOf: (grapheme: string) => Font | null): TextRun<Font>[] {
  const runs: DirectedRun<Font>[] = [];
  for (const { segment } of graphemes.segment(line)) {
    const [font, direction] = [fontOf(segment), directionOf(segment)];
    const last = runs.at(-1);
    // Spaces and digits have runs of their own, so that words can be put in order.
    if (last && last.font === font && last.direction === direction) last.text += segment;
    else runs.push({ text: segment, font, direction });
  }
  const drawn: TextRun<Font>[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    let end = at;
    if (runs[at]?.direction === 'right-to-left')
      for (let next = at + 1; next < runs.length && runs[next]?.direction !== 'left-to-right'; next += 1)
        if (runs[next]?.direction === 'right-to-left') end = next;
    if (end > at) end += takeClosingBrackets(runs, at, end);
    const span = runs.slice(at, end + 1);
    drawn.push(...(span.length === 1 ? span : span.toReversed().map((run) => (run.direction === 'neutral' ? turned(run) : run))));
    at = end;
  }
  return merged(drawn);
}

/** Adds a run of the brackets after words from right to left that were opened between these words. Returns the number of runs that were added. */
function takeClosingBrackets<Font>(runs: DirectedRun<Font>[], from: number, to: number): number {
  const next = runs[to + 1];
  const [closing = ''] = /^[)\]»]+/.exec(next?.text ?? '') ?? [];
  const opened = runs
    .slice(from, to)
    .reduce((sum, { text }) => sum + (text.match(/[([«]/g)?.length ?? 0) - (text.match(/[)\]»]/g)?.length ?? 0), 0);
  const taken = closing.slice(0, Math.max(0, opened));
  if (next === undefined || taken === '') return 0;
  next.text = next.text.slice(taken.length);
  // The last run is drawn first, so the bracket precedes it, mirrored.
  runs.splice(to + 1, 0, { text: taken, font: null, direction: 'neutral' });
  return 1;
}

/** Turns punctuation around: numbers keep their order. */
function turned<Font>({ text, font }: TextRun<Font>): TextRun<Font> {
  const parts = text.match(/\d[\d.,:/-]*\d|[\s\S]/gu) ?? [];
  return {
    font,
    text: parts
      .toReversed()
      .map((part) => MIRRORED[part] ?? part)
      .join(''),
  };
}

/** Joins runs of the font of the style, which the font lays out together. */
function merged<Font>(runs: readonly TextRun<Font>[]): TextRun<Font>[] {
  const joined: TextRun<Font>[] = [];
  for (const { text, font } of runs) {
    const last = joined.at(-1);
    if (last && last.font === null && font === null) joined[joined.length - 1] = { text: last.text + text, font };
    else joined.push({ text, font });
  }
  return joined;
}
