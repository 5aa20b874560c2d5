import { isLongGtin } from '#shared/barcodes';
import { containsCardNumber } from '#shared/card-numbers';

/** Names of fields for barcodes, some of which look like a card number. */
const BARCODE_FIELDS: ReadonlySet<string> = new Set(['barcode', 'item']);
const PHONE_NUMBER = /^\s*\+[1-9][\d\s().-]{6,20}$/;

/**
 * Returns true if the field is for free text and contains a card number. Fields for numbers, phone numbers and passwords are not for free
 * text.
 */
export function isCardNumberInFreeText(
  field: Pick<HTMLInputElement, 'type' | 'inputMode' | 'value'> & { readonly name?: string },
): boolean {
  if (BARCODE_FIELDS.has(field.name ?? '') && isLongGtin(field.value.trim())) return false;
  const isNumeric = field.inputMode === 'numeric' || field.inputMode === 'decimal';
  const isText = ['text', 'textarea', 'search', 'email', 'url', ''].includes(field.type);
  return isText && !isNumeric && !PHONE_NUMBER.test(field.value) && containsCardNumber(field.value);
}
