import type { Work } from '#core/database';
import { compactText } from '#shared/compact-text';
import { type InvoiceRow, STORE_PAYER_NAME } from './schema.ts';

/** Characters of a name that identify a customer in a text. */
export const NAME_MIN = 6;
const LEGAL_FORMS = /(?:INCORPORATED|CORPORATION|LIMITED|COMPANY|GMBH|CORP|SARL|LLC|LTD|INC|PLC|SRL|LLP|AG|SA|SL|BV|CO)$/;

/** Returns names as the texts of banks have them: companies without their legal form, and people in both orders. */
export function writtenNames(names: readonly string[]): string[] {
  const written = [...new Set(names)].flatMap((name) => {
    const words = name.trim().split(/\s+/);
    return [compactText(name).replace(LEGAL_FORMS, ''), ...(words.length === 2 ? [compactText(words.toReversed().join(''))] : [])];
  });
  return [...new Set(written)].filter((name) => name.length >= NAME_MIN);
}

/** Returns the start of a name, which all names have, at a position of a compact text. Half a character, which cannot be stored, is replaced. */
export const nameStart = (compact: string, at = 0): string => compact.slice(at, at + NAME_MIN).toWellFormed();

/** Stores the names by which lines of bank statements find the customer of an invoice that became unpaid. Its customer no longer changes. */
export function storePayerNames(work: Work, row: InvoiceRow): void {
  const { tenant_id, merchant_id, customer_id } = row;
  if (customer_id === null) return;
  for (const name of writtenNames([row.customer_name, row.customer_company].filter((each) => each !== null)))
    work.apply(STORE_PAYER_NAME, { tenant_id, merchant_id, name, customer_id, start: nameStart(name), length: name.length });
}
