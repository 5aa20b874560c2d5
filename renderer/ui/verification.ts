const STREET_AND_ZIP: Readonly<Record<string, string>> = {
  Y: 'Street and ZIP match',
  A: 'Street matches, ZIP does not',
  Z: 'ZIP matches, street does not',
  N: 'Neither street nor ZIP matches',
  U: 'The bank did not check the address',
};
const SECURITY_CODE: Readonly<Record<string, string>> = {
  M: 'Matches',
  N: 'Does not match',
  P: 'Was not checked',
  U: 'The bank does not check it',
};

/** The address check in words (specification 7.7). */
export function addressCheck(response: string | null): string {
  return response === null ? 'No address given' : (STREET_AND_ZIP[response] ?? `Answer ${response}`);
}

/** The security code check in words. */
export function codeCheck(response: string | null): string {
  return response === null ? 'No code given' : (SECURITY_CODE[response] ?? `Answer ${response}`);
}
