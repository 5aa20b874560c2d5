import { type Actor, type Caller, isoTime, ServiceError } from '#core/kernel';
import { disarmFormulas } from '#core/platform/csv';
import type { TransferKind } from '#core/records/ledger';
import type { Dependencies } from './dependencies.ts';
import { type AccountName, type AccountNames, BOOK_ACCOUNTS, type BookAccount, type JournalAccountsChange } from './records.ts';
import { JOURNAL_ACCOUNTS } from './schema.ts';

/** Names that hledger and beancount accept, and numbers in the usual ranges. */
const DEFAULTS: AccountNames = {
  processor: { name: 'Assets:Processor', code: '1200' },
  sales: { name: 'Income:Sales', code: '4000' },
  refunds: { name: 'Income:Refunds', code: '4010' },
  fees: { name: 'Expenses:Processing-Fees', code: '6100' },
  transit: { name: 'Assets:Payouts-in-Transit', code: '1210' },
  bank: { name: 'Assets:Bank', code: '1000' },
  chargebacks: { name: 'Expenses:Chargebacks', code: '6110' },
  own_funds: { name: 'Assets:Own-Funds', code: '1010' },
  tips: { name: 'Liabilities:Tips-Payable', code: '2110' },
  surcharges: { name: 'Income:Surcharges', code: '4020' },
  taxes: { name: 'Liabilities:Sales-Tax-Payable', code: '2200' },
  cash: { name: 'Assets:Cash-Drawer', code: '1020' },
  checks: { name: 'Assets:Checks-Received', code: '1030' },
  other_tenders: { name: 'Assets:Other-Tenders', code: '1040' },
  cash_differences: { name: 'Expenses:Cash-Over-and-Short', code: '6120' },
  gift_cards: { name: 'Liabilities:Gift-Cards', code: '2120' },
  gift_cards_given: { name: 'Expenses:Gift-Cards-Given', code: '6130' },
  gift_cards_expired: { name: 'Income:Expired-Gift-Cards', code: '4040' },
  late_fees: { name: 'Income:Late-Fees', code: '4030' },
};

/**
 * The account that each movement debits and the one that it credits; null for movements between accounts that books do not have. The ledger names
 * where the processor's money went; the books name what the merchant has, so both sides differ from those of the ledger.
 */
export const BOOK_ENTRIES: Readonly<Record<TransferKind, readonly [debit: BookAccount, credit: BookAccount] | null>> = {
  capture: ['processor', 'sales'],
  capture_reversed: ['sales', 'processor'],
  refund: ['refunds', 'processor'],
  credit: ['refunds', 'processor'],
  refund_outside: ['refunds', 'own_funds'],
  settlement: null,
  settlement_owed: null,
  fee: ['fees', 'processor'],
  payout: ['transit', 'processor'],
  chargeback: ['chargebacks', 'processor'],
  chargeback_reversed: ['processor', 'chargebacks'],
  dispute_fee: ['fees', 'processor'],
  tip: ['sales', 'tips'],
  tip_reversed: ['tips', 'sales'],
  tip_refunded: ['tips', 'refunds'],
  surcharge: ['sales', 'surcharges'],
  surcharge_reversed: ['surcharges', 'sales'],
  surcharge_refunded: ['surcharges', 'refunds'],
  tax: ['sales', 'taxes'],
  tax_reversed: ['taxes', 'sales'],
  tax_refunded: ['taxes', 'refunds'],
  bank_deposit: ['bank', 'transit'],
  bank_deposit_reversed: ['transit', 'bank'],
  bank_fee: ['fees', 'bank'],
  bank_fee_reversed: ['bank', 'fees'],
  bank_chargeback: ['chargebacks', 'bank'],
  bank_chargeback_reversed: ['bank', 'chargebacks'],
  bank_invoice: ['bank', 'other_tenders'],
  bank_invoice_reversed: ['other_tenders', 'bank'],
  bank_cash: ['bank', 'own_funds'],
  bank_cash_reversed: ['own_funds', 'bank'],
  bank_check: ['bank', 'checks'],
  bank_check_reversed: ['checks', 'bank'],
  bank_refund: ['other_tenders', 'bank'],
  bank_refund_reversed: ['bank', 'other_tenders'],
  cash_sale: ['cash', 'sales'],
  cash_refund: ['refunds', 'cash'],
  check_sale: ['checks', 'sales'],
  check_refund: ['refunds', 'checks'],
  other_sale: ['other_tenders', 'sales'],
  other_refund: ['refunds', 'other_tenders'],
  gift_card_sale: ['gift_cards', 'sales'],
  gift_card_refund: ['refunds', 'gift_cards'],
  gift_card_sold: ['sales', 'gift_cards'],
  gift_card_taken_back: ['gift_cards', 'refunds'],
  gift_card_given: ['gift_cards_given', 'gift_cards'],
  gift_card_imported: ['own_funds', 'gift_cards'],
  gift_card_expired: ['gift_cards', 'gift_cards_expired'],
  gift_card_reinstated: ['gift_cards_expired', 'gift_cards'],
  store_credit_refund: ['refunds', 'gift_cards'],
  late_fee: ['sales', 'late_fees'],
  late_fee_reversed: ['late_fees', 'sales'],
  cash_in: ['cash', 'own_funds'],
  cash_out: ['own_funds', 'cash'],
  cash_over: ['cash', 'cash_differences'],
  cash_short: ['cash_differences', 'cash'],
  cash_rounded_up: ['cash', 'cash_differences'],
  cash_rounded_down: ['cash_differences', 'cash'],
};

const NAME_MAX = 100;
const CODE_MAX = 20;
/** Names without control characters, tabs, and the two spaces in a row that end a name in hledger. */
const NAME = /^(?! )(?!.* {2})[^\p{Cc}"\\;]{1,100}(?<! )$/u;
const CODE = /^[\p{L}\p{N}.-]{0,20}$/u;

/** Returns the account names of a merchant. */
export async function getAccounts(deps: Dependencies, actor: Caller, merchantId?: string): Promise<AccountNames> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const row = await deps.database.read(actor.tenantId).one(JOURNAL_ACCOUNTS, { merchant_id: merchant.merchantId });
  return { ...DEFAULTS, ...(JSON.parse(row?.accounts ?? '{}') as Partial<AccountNames>) };
}

/** Changes account names of a merchant; absent ones stay. Entries that were exported before keep their IDs. @throws ServiceError VALIDATION_ERROR. */
export async function setAccounts(
  deps: Dependencies,
  actor: Actor,
  input: JournalAccountsChange,
  merchantId?: string,
): Promise<AccountNames> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const before = await getAccounts(deps, actor, merchant.merchantId);
  const after = Object.fromEntries(
    BOOK_ACCOUNTS.map((account) => [account, checked(account, { ...before[account], ...input[account] })]),
  ) as unknown as AccountNames;
  const key = { tenant_id: actor.tenantId, merchant_id: merchant.merchantId };
  const columns = { accounts: JSON.stringify(after), updated_at: isoTime(deps.clockOf(actor.tenantId).now()) };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchant.merchantId);
    if ((await work.update(JOURNAL_ACCOUNTS, key, columns)) === 0) work.insert(JOURNAL_ACCOUNTS, { ...key, ...columns });
    deps.audit(work, {
      actor,
      action: 'journal_accounts.updated',
      resource: 'reporting/journal/accounts',
      merchantId: merchant.merchantId,
      before: { ...before },
      after: { ...after },
    });
  });
  return after;
}

function checked(account: BookAccount, { name, code }: AccountName): AccountName {
  // An accounting program finds the account by the exact name, so a CSV file must not need an apostrophe before it.
  if (!NAME.test(name) || disarmFormulas(name) !== name)
    throw new ServiceError(
      'VALIDATION_ERROR',
      `The name of an account has 1 to ${NAME_MAX} characters, without quotation marks, semicolons and repeated spaces, and does not begin with =, +, - or @.`,
      { field: `${account}.name` },
    );
  if (!CODE.test(code) || disarmFormulas(code) !== code)
    throw new ServiceError(
      'VALIDATION_ERROR',
      `The number of an account has at most ${CODE_MAX} letters and digits, and does not begin with -.`,
      {
        field: `${account}.code`,
      },
    );
  return { name, code };
}
