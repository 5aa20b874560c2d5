/** Schema keyword with the error code for an invalid value of the field; by default VALIDATION_ERROR. */
export const CODE = 'x-error-code';

/** Schema keyword of an amount that may be 0. */
export const ZERO_ALLOWED = 'x-zero-allowed';
