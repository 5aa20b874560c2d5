import type { CustomerImport, CustomerImportLine } from '#renderer/client';

export const ACTION_NAMES: Readonly<Record<CustomerImportLine['action'], string>> = {
  create: 'New customer',
  update: 'Added to a customer',
  duplicate: 'Known already',
  shared: 'Card of another customer',
  rejected: 'Not imported',
};

const REASONS: Readonly<Record<string, string>> = {
  unreadable: 'The line is not readable.',
  missing_name: 'A name, a company or an email address is missing.',
  missing_id: 'The customer has no ID in the file.',
  invalid_email: 'The email address is not valid.',
  invalid_card_number: 'The card number is not valid.',
  rounded_card_number: 'A spreadsheet rounded the card number.',
  masked_card_number: 'The card number is masked.',
  not_a_test_card: 'Sandbox accounts take only test cards.',
  invalid_expiry: 'The expiry date is not valid.',
  expired_card: 'The card has expired and isn’t stored.',
  invalid_bank_account: 'The bank account is not valid.',
  card_number_in_text: 'A text contains a card number.',
  text_too_long: 'A text is too long.',
  failed: 'The customer could not be stored.',
};

/** Returns the explanation of a line: the reason, or the customer or line with the same card. */
export function explanationOf({ action, reason, reference }: CustomerImportLine): string {
  if (reason !== null) return REASONS[reason] ?? reason;
  if (reference === null || action === 'create') return '';
  return `Same as ${reference}`;
}

export const PROVIDERS: Readonly<Record<string, string>> = {
  authorizenet: 'Authorize.Net',
  nmi: 'NMI',
  paydesk: 'Paydesk',
  stripe: 'Stripe',
};

/** Returns what an import is about, for headings and lists. */
export const importName = ({ provider, filename }: CustomerImport) =>
  [filename ?? 'File', provider === null ? null : `from ${PROVIDERS[provider] ?? provider}`].filter(Boolean).join(' ');
