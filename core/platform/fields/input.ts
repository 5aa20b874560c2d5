import { Type } from 'typebox';

/** Schema keyword with the error code for an invalid value of the field; by default VALIDATION_ERROR. */
export const CODE = 'x-error-code';
/** Schema keyword of a text that may have several lines. Every other declared text is one line. */
export const LINES = 'x-lines';

/** Schema keyword with the value of a field in the examples of the documentation. */
export const EXAMPLE = 'example';
/** A time of the examples. */
export const EXAMPLE_TIME = '2026-11-21T04:01:55.602Z';
export const EXAMPLE_DAY = '2026-11-21';
/** Second part of the IDs of the examples. */
export const EXAMPLE_ID = '01m7y495cj0020acfq3xv5ygj8';

/** Returns the keywords with the description and the example of a field. */
export const described = (description?: string, example?: unknown) => ({
  ...(description !== undefined && { description }),
  ...(example !== undefined && { [EXAMPLE]: example }),
});

/** A text of one line: it contains no control characters. */
export const Text = (maxLength: number, description?: string, example?: string) =>
  Type.String({ maxLength, ...described(description, example) });
/** A text of several lines, such as a note. */
export const Lines = (maxLength: number, description?: string, example?: string) =>
  Type.String({ [LINES]: true, maxLength, ...described(description, example) });
export const CurrencyIn = Type.String({
  [CODE]: 'INVALID_CURRENCY',
  description: 'an ISO 4217 code such as USD',
  maxLength: 20,
  [EXAMPLE]: 'USD',
});
