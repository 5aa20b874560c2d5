/** Digits with at most three spaces or dashes between any two: a run that may hold a card number. */
const DIGIT_RUN = /\d(?:[\s\p{Pd}]{0,3}\d){11,}/gu;
const SHORTEST = 12;
const LONGEST = 19;
/** Twelve digits are a card's with Maestro alone; the retrieval references of processors have as many. */
const OF_TWELVE = /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/;

/** Whether a text holds a card number, however spaced and whatever stands around it: twelve to nineteen digits whose check digit is right. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(DIGIT_RUN) ?? []).some((run) => {
    const groups = run.split(/\D+/);
    return groups.some((_, from) => startsCard(groups, from));
  });
}

/** Whether a card number begins with the group and ends with one that follows. A part of a group is none: any long number would hold one. */
function startsCard(groups: readonly string[], from: number): boolean {
  let digits = '';
  for (let at = from; at < groups.length && digits.length <= LONGEST; at += 1) {
    digits += groups[at];
    if (isCard(digits)) return true;
  }
  return false;
}

function isCard(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST || (digits.length === SHORTEST && !OF_TWELVE.test(digits))) return false;
  let sum = 0;
  [...digits].reverse().forEach((digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

/** A text that is only shown or kept beside something, with every run of digits as long as a card number's taken out. */
export const withoutCardNumbers = (text: string) => text.replaceAll(DIGIT_RUN, '[card number]');
