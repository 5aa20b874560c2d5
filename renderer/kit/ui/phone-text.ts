const NORTH_AMERICAN = /^\+1(\d{3})(\d{3})(\d{4})$/;

/** Returns a phone number for the eye: "(207) 555-0116" for +12075550116, and those of other countries as they are stored. */
export const phoneText = (phone: string): string => phone.replace(NORTH_AMERICAN, '($1) $2-$3');
