import type { CustomerImport, CustomerImportLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export const ACTION_NAMES: Readonly<Record<CustomerImportLine['action'], string>> = {
  create: t('New customer'),
  update: t('Added to a customer'),
  duplicate: t('Known already'),
  shared: t('Card of another customer'),
  rejected: t('Not imported'),
};

const REASONS: Readonly<Record<string, string>> = {
  unreadable: t('The line is not readable.'),
  missing_name: t('A name, a company or an email address is missing.'),
  missing_id: t('The customer has no ID in the file.'),
  invalid_email: t('The email address is not valid.'),
  invalid_card_number: t('The card number is not valid.'),
  rounded_card_number: t('A spreadsheet rounded the card number.'),
  rounded_id: t('A spreadsheet rounded the customer ID.'),
  masked_card_number: t('The card number is masked.'),
  not_a_test_card: t('Sandbox accounts take only test cards.'),
  invalid_expiry: t('The expiry date is not valid.'),
  expired_card: t('The card has expired and isn’t stored.'),
  invalid_bank_account: t('The bank account is not valid.'),
  several_emails: t('The line has several email addresses. The others are in the notes.'),
  invalid_phone: t('The phone number is not readable. It is in the notes.'),
  card_number_in_text: t('A text contains a card number.'),
  text_too_long: t('A text is too long.'),
  customer_deleted: t('The customer was deleted during the import.'),
  failed: t('The customer could not be stored.'),
};

/** Returns the explanation of a line: the reason, or the customer or line with the same card. */
export function explanationOf({ action, reason, reference }: CustomerImportLine): string {
  if (reason !== null) return REASONS[reason] ?? reason;
  if (reference === null || action === 'create') return '';
  const line = /^line (\d+)$/.exec(reference)?.[1];
  return line === undefined ? t('Same as {{customer}}', { customer: reference }) : t('Same as line {{line}}', { line });
}

const PROVIDERS: Readonly<Record<string, string>> = {
  authorizenet: 'Authorize.Net',
  list: t('a list'),
  nmi: 'NMI',
  paydesk: 'Paydesk',
  shopify: 'Shopify',
  square: 'Square',
  stripe: 'Stripe',
};

/** Returns what an import is about, for headings and lists. */
export function importName({ provider, filename }: CustomerImport): string {
  const file = filename ?? t('File');
  return provider === null ? file : t('{{file}} from {{provider}}', { file, provider: PROVIDERS[provider] ?? provider });
}

/** States of an import within a line of facts. */
export const STATUS_TEXTS: Readonly<Record<CustomerImport['status'], string>> = {
  reading: t('reading'),
  ready: t('ready'),
  running: t('running'),
  stopped: t('stopped'),
  done: t('done'),
  discarded: t('discarded'),
};
