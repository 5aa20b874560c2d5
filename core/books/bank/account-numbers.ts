/** Form of an IBAN, which no national account number has. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** Lengths of IBANs by country (ISO 13616). */
const IBAN_LENGTHS =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20';
const LENGTH_OF: ReadonlyMap<string, number> = new Map(IBAN_LENGTHS.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]));
/** Lengths of the account number at the end of an IBAN. Before it stands the code of the bank. */
const ACCOUNT_LENGTHS: Readonly<Record<string, number>> = {
  AT: 11,
  BG: 8,
  CH: 12,
  CZ: 16,
  DE: 10,
  DK: 10,
  ES: 10,
  GB: 8,
  GR: 16,
  HU: 16,
  IE: 8,
  IT: 12,
  LI: 12,
  LT: 11,
  LU: 13,
  LV: 13,
  NL: 10,
  PL: 16,
  RO: 16,
  SE: 17,
  SK: 16,
  TR: 16,
};
/** Significant characters from which a number that ends with another one is the same number, with the code of the bank before it. */
const SUFFIX_MIN = 8;

/** Returns an account number without spaces and separators, in capitals. */
export const plainNumber = (number: string): string => number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Returns false for an IBAN whose check digits are wrong (ISO 13616: the number modulo 97 is 1, with letters as 10 to 35). */
export function hasValidCheckDigits(number: string): boolean {
  if (!IBAN.test(number)) return true;
  const digits = `${number.slice(4)}${number.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

const isIban = (plain: string) => IBAN.test(plain) && LENGTH_OF.get(plain.slice(0, 2)) === plain.length && hasValidCheckDigits(plain);
const significant = (plain: string) => plain.replace(/^0+/, '');

/** Returns the forms in which a country writes the account of an IBAN: with and without the code of the bank, and without leading zeros. */
function nationalForms(iban: string): ReadonlySet<string> {
  const national = iban.slice(4);
  const length = ACCOUNT_LENGTHS[iban.slice(0, 2)];
  const forms = [iban, iban.slice(2), national, national.replace(/^[A-Z]+/, '')];
  if (length !== undefined) {
    const [bank, account] = [national.slice(0, -length), significant(national.slice(-length))];
    forms.push(account, bank + account, bank.replace(/^[A-Z]+/, '') + account);
  }
  return new Set(forms.map(significant));
}

/** Returns true if two spellings name the same account: as an IBAN or in the form of its country, with or without the code of the bank before it. */
export function isSameAccount(left: string, right: string): boolean {
  const [one, other] = [plainNumber(left), plainNumber(right)];
  if (significant(one) === significant(other)) return significant(one) !== '';
  if (isIban(one) && isIban(other)) return false;
  if (isIban(one) || isIban(other)) {
    const [iban, given] = isIban(one) ? [one, right] : [other, left];
    const forms = nationalForms(iban);
    if (spellings(given).some((form) => forms.has(form))) return true;
    if (ACCOUNT_LENGTHS[iban.slice(0, 2)] !== undefined) return false;
  }
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (shorter.length < longer.length && significant(shorter).length >= SUFFIX_MIN && longer.endsWith(shorter)) return true;
  return isIban(one) || isIban(other) ? false : spellings(left).includes(significant(other)) || spellings(right).includes(significant(one));
}

/** Code of a bank without digits, or a BIC. It is not compared with the code in an IBAN. */
const BANK_NAME = /^(?:[A-Z]*|[A-Z]{6}[A-Z0-9]{2,5})$/;

/** Returns a number without leading zeros, as a whole, without zeros after the code of the bank, and without a name of the bank. */
function spellings(given: string): string[] {
  const parts = given.toUpperCase().split('/').map(plainNumber);
  const account = significant(parts.at(-1) ?? '');
  const bank = parts.slice(0, -1).join('');
  return [significant(plainNumber(given)), significant(bank + account), ...(BANK_NAME.test(bank) ? [account] : [])].filter(
    ({ length }) => length >= 4,
  );
}

/** Beginning of an IBAN in a text, in groups of four or in one piece. */
const IBAN_START = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g;

/** Returns a text in which IBANs keep their last four characters only. */
export function maskIbans(text: string): string {
  return text.replaceAll(IBAN_START, (found) => {
    const length = LENGTH_OF.get(found.slice(0, 2)) ?? 0;
    let end = 0;
    for (let count = 0; end < found.length && count < length; end += 1) if (found[end] !== ' ') count += 1;
    const iban = plainNumber(found.slice(0, end));
    return iban.length === length && isIban(iban) ? `IBAN …${iban.slice(-4)}${found.slice(end)}` : found;
  });
}
