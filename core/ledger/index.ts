import type { Database } from '#core/database';
import { type Actor, type Currency, type Money, money } from '#core/kernel';
import { type Account, BALANCES, TRANSFERS, type TransferRow, UNSETTLED_LINES } from './schema.ts';

export { countSettled, type Post, post, type Transfer } from './posting.ts';
export type { TransferKind } from './schema.ts';

export const TABLES = [TRANSFERS, BALANCES, UNSETTLED_LINES];

/** What the accounts of a merchant hold, by currency and account: debits less credits. */
export interface Balances {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly accounts: Readonly<Record<Account, Money>>;
}

/** A balance that is not the sum of its transfers. */
interface LedgerFault {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly account: string;
  /** Minor units. */
  readonly balance: number;
  readonly sum: number;
}

const ACCOUNTS: readonly Account[] = ['processor', 'unsettled', 'settled', 'fees', 'paid_out', 'credited', 'own_funds', 'refunded_outside'];

export async function balancesOf(database: Database, by: Pick<Actor, 'tenantId'>, merchantIds: readonly string[]): Promise<Balances[]> {
  const rows = await database.read(by.tenantId).find(BALANCES, { tenant_id: by.tenantId });
  const own = rows.filter((row) => merchantIds.includes(row.merchant_id));
  const groups = Map.groupBy(own, (row) => `${row.merchant_id}/${row.currency}`);
  return [...groups.values()].map((group) => {
    const [{ merchant_id: merchantId, currency }] = group as [(typeof own)[number]];
    const held = (account: Account) => money(group.find((row) => row.account === account)?.n ?? 0, currency as Currency);
    const accounts = Object.fromEntries(ACCOUNTS.map((account) => [account, held(account)])) as Record<Account, Money>;
    return { merchantId, currency: currency as Currency, accounts };
  });
}

/** Adds every transfer up again and compares it with the balances; what differs is answered. */
export async function checkBalances(database: Database): Promise<LedgerFault[]> {
  const sums = `SELECT tenant_id, merchant_id, currency, account, sum(amount) AS total FROM (
      SELECT tenant_id, merchant_id, currency, debit AS account, amount_minor AS amount FROM ledger_transfers
      UNION ALL SELECT tenant_id, merchant_id, currency, credit, -amount_minor FROM ledger_transfers) AS sides
    GROUP BY tenant_id, merchant_id, currency, account`;
  type Row = Pick<TransferRow, 'tenant_id' | 'merchant_id' | 'currency'> & { account: string; n: number; total: number };
  const rows = await database.readAcrossTenants().all<Row>(
    `SELECT tenant_id, merchant_id, currency, account, max(n) AS n, max(total) AS total FROM (
       SELECT tenant_id, merchant_id, currency, account, n, NULL AS total FROM ledger_balances
       UNION ALL SELECT tenant_id, merchant_id, currency, account, NULL, total FROM (${sums}) AS summed) AS both_sides
     GROUP BY tenant_id, merchant_id, currency, account HAVING coalesce(max(n), 0) <> coalesce(max(total), 0)`,
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
