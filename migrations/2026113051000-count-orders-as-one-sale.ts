import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A sale or void of a payment of an order, as the ledger has it. */
interface Movement {
  readonly tenant_id: string;
  readonly order_id: string;
  readonly payment_id: string;
  readonly id: string;
  readonly kind: string;
  readonly merchant_id: string;
  readonly day: string;
  readonly currency: string;
  readonly method: string;
  readonly brand: string;
  readonly discount_minor: number | string;
}

const COLUMNS =
  'o.tenant_id AS tenant_id, o.order_id AS order_id, o.id AS payment_id, l.id AS id, l.kind AS kind, l.merchant_id AS merchant_id, l.day AS day, l.currency AS currency, l.at AS at, s.discount_minor AS discount_minor';
const TENDERS = `SELECT ${COLUMNS}, o.kind AS method, o.kind AS brand FROM order_payments o JOIN orders s ON s.tenant_id = o.tenant_id AND s.id = o.order_id JOIN ledger_transfers l ON l.tenant_id = o.tenant_id AND l.id = o.id`;
const CARDS = `SELECT ${COLUMNS}, t.method, coalesce(t.card_brand, 'ach') AS brand FROM order_payments o JOIN orders s ON s.tenant_id = o.tenant_id AND s.id = o.order_id JOIN transactions t ON t.tenant_id = o.tenant_id AND t.id = o.id JOIN attempts a ON a.tenant_id = o.tenant_id AND a.transaction_id = o.id AND a.operation IN ('sale', 'void') JOIN ledger_transfers l ON l.tenant_id = a.tenant_id AND l.id = a.id AND l.kind IN ('capture', 'capture_reversed')`;

/**
 * Marks the payments of orders that begin, continue or end a sale, so that reports count an order as one sale. Those of earlier orders are marked and counted
 * as if they were made now. Z reports stay as they were printed.
 */
export class CountOrdersAsOneSale2026113051000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of ['ledger_transfers', 'shift_movements']) await run.query(`ALTER TABLE ${table} ADD COLUMN order_part text`);
    const movements: Movement[] = await run.query(
      `SELECT * FROM (${TENDERS} UNION ALL ${CARDS}) AS moved ORDER BY tenant_id, order_id, at, id`,
    );
    for (const order of Map.groupBy(movements, ({ tenant_id, order_id }) => `${tenant_id} ${order_id}`).values()) {
      const kept = new Set<string>();
      for (const movement of order) {
        const isVoid = movement.kind === 'capture_reversed';
        kept.delete(movement.payment_id);
        if (kept.size > 0) await markFurther(run, movement, isVoid ? -1 : 1);
        else if (Number(movement.discount_minor) > 0) await mark(run, movement, 'discounted');
        if (!isVoid) kept.add(movement.payment_id);
      }
    }
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query("DELETE FROM transaction_facts WHERE fact = 'further_payment'");
    for (const table of ['shift_movements', 'ledger_transfers']) await run.query(`ALTER TABLE ${table} DROP COLUMN order_part`);
  }
}

async function markFurther(run: QueryRunner, movement: Movement, count: 1 | -1): Promise<void> {
  const { tenant_id, merchant_id, day, currency, method, brand } = movement;
  await mark(run, movement, 'further');
  const values = [tenant_id, merchant_id, day, currency, method, brand];
  const [tenant, merchant, date, money, by, card] = placesOf(run, values.length);
  await run.query(
    `INSERT INTO transaction_facts (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure, n) VALUES (${tenant}, ${merchant}, 'further_payment', ${date}, ${money}, 'sale', ${by}, ${card}, '', 'count', ${count}) ON CONFLICT (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure) DO UPDATE SET n = transaction_facts.n + excluded.n`,
    values,
  );
}

async function mark(run: QueryRunner, { tenant_id, id }: Movement, part: 'further' | 'discounted'): Promise<void> {
  const [value, tenant, transfer] = placesOf(run, 3);
  for (const table of ['ledger_transfers', 'shift_movements'])
    await run.query(`UPDATE ${table} SET order_part = ${value} WHERE tenant_id = ${tenant} AND id = ${transfer}`, [part, tenant_id, id]);
}

/** Returns the placeholders of parameters. */
const placesOf = (run: QueryRunner, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (run.connection.options.type === 'postgres' ? `$${at + 1}` : '?'));
