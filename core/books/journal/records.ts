import { Type } from 'typebox';
import { count, day, id, literals, nullable, one, type RecordOf, record, text, time } from '#core/platform/fields';

/**
 * Accounts of the books with their descriptions. `processor` to `own_funds` are movements of processors and banks, `cash` to `cash_differences` those of drawers.
 */
const ACCOUNTS = {
  processor: 'Owed by the processor',
  sales: 'Sales',
  refunds: 'Refunds',
  fees: 'Fees of the processor',
  transit: 'Payouts on their way to the bank',
  bank: 'The bank account',
  chargebacks: 'Chargebacks',
  own_funds: 'Refunds paid outside of a processor, the safe of the cash drawers, and transfers of the merchant itself',
  tips: 'Tips, owed to staff',
  surcharges: 'Surcharges',
  taxes: 'Sales tax, owed to tax offices',
  cash: 'Cash in drawers',
  checks: 'Checks received',
  other_tenders: 'Other tenders received',
  cash_differences: 'Missing or surplus cash',
  gift_cards: 'Owed to holders of gift cards and store credit',
  gift_cards_given: 'Given gift cards and store credit',
  gift_cards_expired: 'Expired gift cards',
  late_fees: 'Late fees of invoices',
} as const;
export type BookAccount = keyof typeof ACCOUNTS;
export const BOOK_ACCOUNTS = Object.keys(ACCOUNTS) as BookAccount[];

/** Name and number of an account in the merchant's accounting program. */
const AccountName = Type.Object(
  {
    name: Type.String({ maxLength: 100, description: 'name; parts are separated by colons', examples: ['Income:Sales'] }),
    code: Type.String({ maxLength: 20, description: 'number in the accounting program, which Xero requires', examples: ['4000'] }),
  },
  { additionalProperties: false },
);
export type AccountName = RecordOf<typeof AccountName>;
type AllAccounts<Field> = Record<BookAccount, Field>;
const ofAccounts = <Field>(fieldOf: (meaning: string) => Field) =>
  Object.fromEntries(Object.entries(ACCOUNTS).map(([account, meaning]) => [account, fieldOf(meaning)])) as AllAccounts<Field>;
export const JournalAccounts = record(
  'JournalAccounts',
  ofAccounts((meaning) => one(AccountName, meaning)),
);
export type AccountNames = RecordOf<typeof JournalAccounts>;
/** Names that change; absent ones stay. */
export const JournalAccountsChange = Type.Object(
  ofAccounts((description) => Type.Optional(Type.Partial(AccountName, { description }))),
  { additionalProperties: false },
);
export type JournalAccountsChange = RecordOf<typeof JournalAccountsChange>;

/** A recorded export. Its file can be written again in any format, with the same entries. */
export const JournalExport = record('JournalExport', {
  journalExportId: id('jex', 'ID of the export of the journal'),
  merchantId: id('mer', 'ID of the merchant'),
  startDate: day('First day', '2026-11-01'),
  endDate: day('Last day', '2026-11-30'),
  only: nullable(literals(['new'], '`new` if the file omits the entries of earlier exports; null for all entries of the period', 'new')),
  currency: nullable(text('Currency of the entries; null for all', null)),
  entries: count('Number of entries in the file', 42),
  newEntries: count('Number of entries that no earlier export contained', 42),
  createdBy: text('Person or API key that did it', 'admin@demo.example'),
  createdAt: time('Time of creation'),
});
export type JournalExport = RecordOf<typeof JournalExport>;
