import validator from 'card-validator';

/** Digits with at most three signs that are neither letter nor digit between any two: a run that may hide a card number. */
const DIGIT_RUN = /\d(?:[^\p{L}\p{N}]{0,3}\d){13,}/gu;

const LONGEST = 19;
/** Shorter ones exist, but so many order numbers would pass for them that those would be spoilt. */
const SHORTEST = 14;

/** Free text with every card number in it reduced to its last four digits, however it was spaced. */
export function hideCardNumbers(text: string): string {
  return text.replace(DIGIT_RUN, hideInRun);
}

function hideInRun(run: string): string {
  const at = [...run.matchAll(/\d/g)].map((match) => match.index);
  let hidden = '';
  let from = 0;
  for (let start = 0; start < at.length; start += 1) {
    const end = endOfCardNumber(run, at, start);
    if (end === null) continue;
    hidden += `${run.slice(from, at[start])}****${digitsOf(run.slice(at[start], end)).slice(-4)}`;
    from = end;
    while (start + 1 < at.length && (at[start + 1] ?? end) < end) start += 1;
  }
  return hidden + run.slice(from);
}

/** Where the longest card number that starts at the digit ends in the run, or null when none starts there. */
function endOfCardNumber(run: string, at: readonly number[], start: number): number | null {
  for (let length = Math.min(LONGEST, at.length - start); length >= SHORTEST; length -= 1) {
    const end = (at[start + length - 1] ?? run.length) + 1;
    if (validator.number(digitsOf(run.slice(at[start], end)), { luhnValidateUnionPay: true }).isValid) return end;
  }
  return null;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
