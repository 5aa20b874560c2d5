import { InvalidArgumentError } from 'commander';

/** Returns a parser of whole numbers within limits, for options. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/** Parses a share such as `5%` or `0.05`. */
export function shareOf(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Use a share such as 5% or 0.05.');
}
