import { type Database, lit, queriesOn } from '#core/database';
import { type Actor, type Currency, type Money, money } from '#core/kernel';
import { ACCOUNTS, type Account, BALANCES, TRANSFERS, UNSETTLED_LINES } from './schema.ts';

export { countSettled, type Post, post, type Transfer } from './posting.ts';
export { READABLE_BALANCES, READABLE_TRANSFERS, READABLE_UNSETTLED_LINES } from './read-model.ts';
export type {
  BankTransferKind,
  DrawerTransferKind,
  GiftCardTransferKind,
  OrderPart,
  PartTransferKind,
  SoldGiftCardKind,
  TenderTransferKind,
  TransferKind,
} from './schema.ts';
export { ACCOUNTS, type Account, BANK_TRANSFER_KINDS } from './schema.ts';

const queries = queriesOn(TRANSFERS, BALANCES);

export const TABLES = [TRANSFERS, BALANCES, UNSETTLED_LINES];

/** Balances of a merchant's accounts by currency: debits less credits. */
export interface Balances {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly accounts: Readonly<Record<Account, Money>>;
}

/** A balance that differs from the sum of its transfers. */
interface LedgerFault {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly account: string;
  /** Minor units. */
  readonly balance: number;
  readonly sum: number;
}

export async function balancesOf(database: Database, actor: Pick<Actor, 'tenantId'>, merchantIds: readonly string[]): Promise<Balances[]> {
  const rows = await database.read(actor.tenantId).find(BALANCES, { tenant_id: actor.tenantId });
  const ofMerchants = rows.filter((row) => merchantIds.includes(row.merchant_id));
  const groups = Map.groupBy(ofMerchants, (row) => `${row.merchant_id}/${row.currency}`);
  return [...groups.values()].map((group) => {
    const [{ merchant_id: merchantId, currency }] = group as [(typeof ofMerchants)[number]];
    const balanceOf = (account: Account) => money(group.find((row) => row.account === account)?.n ?? 0, currency as Currency);
    const accounts = Object.fromEntries(ACCOUNTS.map((account) => [account, balanceOf(account)])) as Record<Account, Money>;
    return { merchantId, currency: currency as Currency, accounts };
  });
}

/** Adds up all transfers and returns the balances that differ from their sums. */
export async function checkBalances(database: Database): Promise<LedgerFault[]> {
  const debits = queries
    .selectFrom('ledger_transfers')
    .select(['tenant_id', 'merchant_id', 'currency', 'debit as account', 'amount_minor as amount']);
  const credits = queries
    .selectFrom('ledger_transfers')
    .select(({ neg }) => ['tenant_id', 'merchant_id', 'currency', 'credit as account', neg('amount_minor').as('amount')]);
  const sums = queries
    .selectFrom(debits.unionAll(credits).as('sides'))
    .select(({ fn }) => [
      'tenant_id',
      'merchant_id',
      'currency',
      'account',
      lit<number | null>(null).as('n'),
      fn.sum<number | null>('amount').as('total'),
    ])
    .groupBy(['tenant_id', 'merchant_id', 'currency', 'account']);
  const balances = queries
    .selectFrom('ledger_balances')
    .select(['tenant_id', 'merchant_id', 'currency', 'account', 'n', lit<number | null>(null).as('total')])
    .$castTo<{ tenant_id: string; merchant_id: string; currency: string; account: Account; n: number | null; total: number | null }>();
  const rows = await database.readAcrossTenants().rows(
    queries
      .selectFrom(balances.unionAll(sums).as('both_sides'))
      .select(({ fn }) => ['tenant_id', 'merchant_id', 'currency', 'account', fn.max('n').as('n'), fn.max('total').as('total')])
      .groupBy(['tenant_id', 'merchant_id', 'currency', 'account'])
      .having(({ eb, fn }) => eb(fn.coalesce(fn.max('n'), lit(0)), '<>', fn.coalesce(fn.max('total'), lit(0)))),
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    currency: row.currency,
    account: row.account,
    balance: Number(row.n ?? 0),
    sum: Number(row.total ?? 0),
  }));
}
