import { t } from '#renderer/base/language';

const STREET_AND_ZIP: Readonly<Record<string, string>> = {
  Y: t('Street and ZIP match'),
  A: t('Street matches, ZIP does not'),
  Z: t('ZIP matches, street does not'),
  N: t('Neither street nor ZIP matches'),
  U: t('The bank didn’t check the address'),
};
const SECURITY_CODE: Readonly<Record<string, string>> = {
  M: t('Matches', { context: 'verb' }),
  N: t('Does not match'),
  P: t('Not checked'),
  U: t('Not supported by the bank'),
};

/** Results where only a ZIP code, or only a street, was sent: the other one was not checked. */
const ZIP_ALONE: Readonly<Record<string, string>> = {
  Y: t('ZIP matches; street not checked'),
  Z: t('ZIP matches; street not checked'),
  N: t('ZIP does not match'),
  A: t('ZIP does not match'),
};
const STREET_ALONE: Readonly<Record<string, string>> = {
  Y: t('Street matches; ZIP not checked'),
  A: t('Street matches; ZIP not checked'),
  N: t('Street does not match'),
  Z: t('Street does not match'),
};

/**
 * Returns a text for the result of the address check. `sent` is the address that was sent with the payment; if it is
 * missing, both street and ZIP count as sent.
 */
export function addressCheck(
  response: string | null,
  sent?: { readonly address?: string | null; readonly zip?: string | null } | null,
): string {
  if (response === null) return t('No address entered');
  const texts = sent?.zip && !sent.address ? ZIP_ALONE : sent?.address && !sent.zip ? STREET_ALONE : STREET_AND_ZIP;
  return texts[response] ?? STREET_AND_ZIP[response] ?? t('Response {{code}}', { code: response });
}

/** Returns a text for the result of the security code check. */
export function codeCheck(response: string | null): string {
  return response === null ? t('No code entered') : (SECURITY_CODE[response] ?? t('Response {{code}}', { code: response }));
}
