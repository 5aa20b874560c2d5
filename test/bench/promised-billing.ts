import { newId } from '../../core/kernel/index.ts';
import { openSqlite, type RawSteps, rawSteps } from './raw-sqlite.ts';
import { type SaleRows, saleRows } from './rows.ts';

/** Number of payments in a commit, as many as a tenant has renewals at a time. */
const GROUP_SIZE = 48;
const LEASE_MS = 60_000;
const TENANT = 'ten_bench';
const [TODAY, NEXT_MONTH] = ['2026-12-01', '2027-01-01'];

const ADD_SUBSCRIPTION = `INSERT INTO subscriptions (tenant_id, id, merchant_id, customer_id, amount_minor, tax_minor, currency, frequency, status, start_date, anchor_date, next_index, next_date,
  payments_made, failed_attempts, unsent_tries, due_ms, lease_ms, fence, created_at, updated_at)
  VALUES ('${TENANT}', ?, 'mer_bench', ?, 900, 0, 'USD', 'monthly', 'active', '${TODAY}', '${TODAY}', 0, '${TODAY}', 0, 0, 0, ?, 0, 0, ?, ?)`;
const CLAIM = `UPDATE subscriptions SET lease_ms = ?, fence = fence + 1
  WHERE tenant_id = '${TENANT}' AND id IN (SELECT id FROM subscriptions WHERE tenant_id = '${TENANT}' AND due_ms IS NOT NULL AND due_ms <= ? AND lease_ms <= ? ORDER BY due_ms, id LIMIT ${GROUP_SIZE})
  RETURNING *`;
const ADD_PERIOD = `INSERT INTO subscription_payments (tenant_id, id, subscription_id, due_date, periods, attempt, amount_minor, currency, status, transaction_id, created_at)
  VALUES ('${TENANT}', ?, ?, '${TODAY}', 1, 1, 900, 'USD', 'pending', ?, ?)`;
const MARK = `UPDATE subscriptions SET pending_transaction = ?, pending_payment = ?, pending_index = 0 WHERE tenant_id = '${TENANT}' AND id = ? AND fence = ? AND pending_transaction IS NULL`;
const SETTLE = `UPDATE subscriptions SET next_index = 1, next_date = '${NEXT_MONTH}', payments_made = 1, failed_attempts = 0, last_payment_at = ?, last_result = 'succeeded',
  pending_transaction = NULL, pending_payment = NULL, pending_index = NULL, due_ms = ?, lease_ms = 0, updated_at = ? WHERE tenant_id = '${TENANT}' AND id = ? AND fence = ? AND pending_transaction IS NOT NULL`;
const CONCLUDE_PERIOD = `UPDATE subscription_payments SET status = 'succeeded', concluded_at = ? WHERE tenant_id = '${TENANT}' AND id = ? AND status = 'pending'`;
const ADD_EVENT = `INSERT INTO events (tenant_id, n, id, type, merchant_id, resource_id, data, test, created_at) VALUES ('${TENANT}', ?, ?, 'subscription.payment_succeeded', 'mer_bench', ?, ?, 0, ?)`;

interface Claimed {
  readonly id: string;
  readonly fence: number;
}

interface Rates {
  readonly sales: number;
  readonly renewals: number;
}

/**
 * Returns the number of renewals and of sales to stored cards per second of the shortest program: the rows of both written by hand in groups, in the
 * same three commits, and the claims of the subscriptions. It has no rules, requests and queries besides.
 */
export function promisedBilling(folder: string, files: { readonly service: string; readonly sandbox: string }, count: number): Rates {
  const service = openSqlite(folder, files.service, 'FULL');
  const sandbox = openSqlite(folder, files.sandbox, 'NORMAL');
  const shape = saleRows('shape');
  const tables = ['transactions', 'attempts'] as const;
  const pay = ({ intend, charge, conclude }: RawSteps, sales: readonly SaleRows[]) => {
    intend(sales.map(({ intent }) => intent));
    charge(sales.map(({ ledger }) => ledger));
    conclude(sales);
  };
  const groupOf = (length: number) => Array.from({ length }, () => saleRows(''));
  const perSecond = (operation: () => void) => {
    const startedMs = performance.now();
    operation();
    return (count * 1_000) / (performance.now() - startedMs);
  };

  const now = Date.now();
  const at = new Date(now).toISOString();
  const add = service.prepare(ADD_SUBSCRIPTION);
  service.exec('BEGIN');
  for (let index = 0; index < count; index += 1) add.run(newId('sub', now), newId('cus', now), now, at, at);
  service.exec('COMMIT');

  const saleSteps = rawSteps(service, sandbox, shape, { tables });
  const sales = perSecond(() => {
    for (let left = count; left > 0; left -= GROUP_SIZE) pay(saleSteps, groupOf(Math.min(left, GROUP_SIZE)));
  });
  const [claim, addPeriod, mark, settle, concludePeriod, addEvent] = [CLAIM, ADD_PERIOD, MARK, SETTLE, CONCLUDE_PERIOD, ADD_EVENT].map(
    (sql) => service.prepare(sql),
  );
  /** The claimed subscription of each payment, with the ID of its entry in the history. */
  const renewalOf = new Map<string, Claimed & { readonly period: string }>();
  const renewalSteps = rawSteps(service, sandbox, shape, {
    tables,
    intend({ transactions: { id } }) {
      const renewal = renewalOf.get(id);
      addPeriod?.run(renewal?.period, renewal?.id, id, at);
      mark?.run(id, renewal?.period, renewal?.id, renewal?.fence);
    },
    conclude({ result, event }) {
      const renewal = renewalOf.get(result.id);
      settle?.run(at, now + LEASE_MS, at, renewal?.id, renewal?.fence);
      concludePeriod?.run(at, renewal?.period);
      addEvent?.run(-event.n, newId('evt', now), renewal?.id, event.data, at);
    },
  });
  const renewals = perSecond(() => {
    for (let done = 0; done < count; ) {
      const claimed = claim?.all(now + LEASE_MS, now, now) as Claimed[];
      if (claimed.length === 0) throw new Error('A subscription is missing.');
      const group = claimed.map((row) => {
        const sale = saleRows('');
        renewalOf.set(sale.result.id, { ...row, period: newId('sbp', now) });
        return sale;
      });
      pay(renewalSteps, group);
      done += claimed.length;
    }
  });
  service.close();
  sandbox.close();
  return { sales, renewals };
}
