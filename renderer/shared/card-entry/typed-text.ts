/** Text of an input with the position of its caret. */
interface TypedText {
  readonly text: string;
  readonly caret: number;
}

/**
 * Reformats typed text and keeps the caret after the same digit, so that a correction inside a grouped number does not move it to the end.
 */
export function reformat(typed: TypedText, format: (text: string) => string): TypedText {
  const text = format(typed.text);
  if (typed.caret >= typed.text.length) return { text, caret: text.length };
  const digitsBefore = countDigits(typed.text.slice(0, typed.caret));
  return { text, caret: positionAfterDigit(text, digitsBefore) };
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function positionAfterDigit(text: string, count: number): number {
  let seen = 0;
  for (let position = 0; position < text.length; position += 1) {
    if (seen === count) return position;
    if (/\d/.test(text[position] ?? '')) seen += 1;
  }
  return text.length;
}
