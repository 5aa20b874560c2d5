const STREET_AND_ZIP: Readonly<Record<string, string>> = {
  Y: 'Street and ZIP match',
  A: 'Street matches, ZIP does not',
  Z: 'ZIP matches, street does not',
  N: 'Neither street nor ZIP matches',
  U: 'The bank didn’t check the address',
};
const SECURITY_CODE: Readonly<Record<string, string>> = {
  M: 'Matches',
  N: 'Does not match',
  P: 'Not checked',
  U: 'Not supported by the bank',
};

/** Results where only a ZIP code, or only a street, was sent: the other one was not checked. */
const ZIP_ALONE: Readonly<Record<string, string>> = {
  Y: 'ZIP matches; street not checked',
  Z: 'ZIP matches; street not checked',
  N: 'ZIP does not match',
  A: 'ZIP does not match',
};
const STREET_ALONE: Readonly<Record<string, string>> = {
  Y: 'Street matches; ZIP not checked',
  A: 'Street matches; ZIP not checked',
  N: 'Street does not match',
  Z: 'Street does not match',
};

/**
 * Returns a text for the result of the address check (specification 7.7). `sent` is the address that was sent with the payment; if it is
 * missing, both street and ZIP count as sent.
 */
export function addressCheck(
  response: string | null,
  sent?: { readonly address?: string | null; readonly zip?: string | null } | null,
): string {
  if (response === null) return 'No address entered';
  const texts = sent?.zip && !sent.address ? ZIP_ALONE : sent?.address && !sent.zip ? STREET_ALONE : STREET_AND_ZIP;
  return texts[response] ?? STREET_AND_ZIP[response] ?? `Response ${response}`;
}

/** Returns a text for the result of the security code check. */
export function codeCheck(response: string | null): string {
  return response === null ? 'No code entered' : (SECURITY_CODE[response] ?? `Response ${response}`);
}
