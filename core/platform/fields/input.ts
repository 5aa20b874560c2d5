import { Type } from 'typebox';

/** Schema keyword with the error code for an invalid value of the field; by default VALIDATION_ERROR. */
export const CODE = 'x-error-code';
/** Schema keyword of a text that may have several lines. Every other declared text is one line. */
export const LINES = 'x-lines';

/** A text of one line: it contains no control characters. */
export const Text = (maxLength: number, description = `text of at most ${maxLength} characters`) => Type.String({ maxLength, description });
/** A text of several lines, such as a note. */
export const Lines = (maxLength: number, description = `text of at most ${maxLength} characters`) =>
  Type.String({ [LINES]: true, maxLength, description });
export const CurrencyIn = Type.String({ [CODE]: 'INVALID_CURRENCY', description: 'an ISO 4217 code such as USD', maxLength: 20 });
