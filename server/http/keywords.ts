/** Schema keyword of an amount that may be 0. */
export const ZERO_ALLOWED = 'x-zero-allowed';
