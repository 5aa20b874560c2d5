import type { MigrationInterface, QueryRunner } from 'typeorm';

const PARTS = ['tip', 'surcharge', 'tax'] as const;
const TABLES = ['transactions', 'refunds', 'attempts'] as const;
const TEXTS = ['purchase_order_number', 'created_by'] as const;

interface Parts {
  readonly tip: number;
  readonly surcharge: number;
}

/** Adds tip, surcharge and tax to payments, refunds and attempts, and moves what the terminal kept in metadata into them. */
export class AddAmountParts1763600000100 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      for (const part of PARTS) {
        await run.query(`ALTER TABLE ${table} ADD COLUMN ${part}_minor bigint NOT NULL DEFAULT 0`);
        // SQLite cannot drop a default, and the schema declares none.
        if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${part}_minor DROP DEFAULT`);
      }
    }
    for (const name of TEXTS) await run.query(`ALTER TABLE transactions ADD COLUMN ${name} text`);
    const payments = (await run.query(PAYMENTS_WITH_METADATA)) as Payment[];
    for (const payment of payments) await moveFromMetadata(run, payment);
    if (payments.length === 0) return;
    await run.query(POST_BALANCES);
    for (const part of ['tip', 'surcharge'] as const) await run.query(countPart(part));
    for (const measure of ['count', 'amount', 'refunded'] as const) await run.query(countPersonTips(measure));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query(`DELETE FROM ledger_balances WHERE account IN (${PART_ACCOUNTS})`);
    await run.query(`DELETE FROM ledger_transfers WHERE ${PART_KINDS}`);
    await run.query("DELETE FROM transaction_facts WHERE fact = 'person_tip' OR measure IN ('tip', 'surcharge', 'tax')");
    for (const name of TEXTS) await run.query(`ALTER TABLE transactions DROP COLUMN ${name}`);
    for (const table of TABLES) for (const part of PARTS) await run.query(`ALTER TABLE ${table} DROP COLUMN ${part}_minor`);
  }
}

const PART_ACCOUNTS = "'sales', 'tips', 'surcharges', 'taxes'";
const PART_KINDS = PARTS.map((part) => `kind IN ('${part}', '${part}_reversed', '${part}_refunded')`).join(' OR ');

/** A payment whose tip or surcharge the terminal wrote into its metadata. */
interface Payment {
  readonly tenant_id: string;
  readonly id: string;
  readonly amount_minor: number | string;
  readonly captured_minor: number | string;
  readonly metadata: string;
}

const PAYMENTS_WITH_METADATA = `SELECT tenant_id, id, amount_minor, captured_minor, metadata FROM transactions
WHERE source IN ('keyed', 'swiped', 'saved') AND (metadata LIKE '%"tip":"%' OR metadata LIKE '%"surcharge":"%')`;

/** Keys that the terminal wrote. Metadata with others belongs to another program and stays. */
const TERMINAL_KEYS = new Set(['phone', 'tip', 'surcharge']);

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

async function moveFromMetadata(run: QueryRunner, payment: Payment): Promise<void> {
  const { tip, surcharge, ...rest } = JSON.parse(payment.metadata) as Record<string, unknown>;
  if (Object.keys(JSON.parse(payment.metadata) as object).some((key) => !TERMINAL_KEYS.has(key))) return;
  const parts: Parts = { tip: minorOf(tip), surcharge: minorOf(surcharge) };
  const amount = Number(payment.amount_minor);
  const captured = Number(payment.captured_minor);
  if (parts.tip + parts.surcharge === 0 || parts.tip + parts.surcharge > amount) return;
  const ofTenant = `tenant_id = ${quoted(payment.tenant_id)}`;
  const charged = shareOf(captured === 0 ? amount : captured, amount, parts);
  const metadata = Object.keys(rest).length === 0 ? 'NULL' : quoted(JSON.stringify(rest));
  const creator = `(SELECT min(actor) FROM attempts WHERE ${ofTenant} AND transaction_id = ${quoted(payment.id)} AND operation IN ('sale', 'auth'))`;
  await run.query(
    `UPDATE transactions SET tip_minor = ${charged.tip}, surcharge_minor = ${charged.surcharge}, metadata = ${metadata}, created_by = ${creator} WHERE ${ofTenant} AND id = ${quoted(payment.id)}`,
  );
  const attempts = (await run.query(
    `SELECT id, amount_minor FROM attempts WHERE ${ofTenant} AND transaction_id = ${quoted(payment.id)} AND refund_id IS NULL`,
  )) as { id: string; amount_minor: number | string }[];
  for (const attempt of attempts) {
    const share = shareOf(Number(attempt.amount_minor), amount, parts);
    await run.query(
      `UPDATE attempts SET tip_minor = ${share.tip}, surcharge_minor = ${share.surcharge} WHERE ${ofTenant} AND id = ${quoted(attempt.id)}`,
    );
    await postParts(run, `${ofTenant} AND id = ${quoted(attempt.id)} AND kind IN ('capture', 'capture_reversed')`, share);
  }
  await splitRefunds(run, ofTenant, payment.id, captured, charged);
}

/** Gives each refund its share of what remained of the payment before it. */
async function splitRefunds(run: QueryRunner, ofTenant: string, transactionId: string, captured: number, charged: Parts): Promise<void> {
  const refunds = (await run.query(
    `SELECT id, amount_minor FROM refunds WHERE ${ofTenant} AND transaction_id = ${quoted(transactionId)} AND (status IN ('approved', 'pending') OR id IN (SELECT refund_id FROM refund_decline_queue WHERE ${ofTenant} AND status IN ('pending', 'processing', 'retry', 'resolved'))) ORDER BY id`,
  )) as { id: string; amount_minor: number | string }[];
  let left = { total: captured, parts: charged };
  for (const refund of refunds) {
    const amount = Number(refund.amount_minor);
    const share = shareOf(amount, left.total, left.parts);
    await run.query(
      `UPDATE refunds SET tip_minor = ${share.tip}, surcharge_minor = ${share.surcharge} WHERE ${ofTenant} AND id = ${quoted(refund.id)}`,
    );
    await postParts(run, `${ofTenant} AND subject_id = ${quoted(refund.id)} AND kind IN ('refund', 'refund_outside')`, share);
    left = { total: left.total - amount, parts: { tip: left.parts.tip - share.tip, surcharge: left.parts.surcharge - share.surcharge } };
  }
}

/** Posts parts beside the transfers of a payment or refund. */
async function postParts(run: QueryRunner, transfers: string, parts: Parts): Promise<void> {
  for (const part of ['tip', 'surcharge'] as const) {
    if (parts[part] === 0) continue;
    const account = `${part}s`;
    await run.query(`INSERT INTO ledger_transfers (tenant_id, id, merchant_id, currency, kind, debit, credit, amount_minor, subject_id, day, at)
SELECT tenant_id, id || '-${part}', merchant_id, currency,
  CASE kind WHEN 'capture' THEN '${part}' WHEN 'capture_reversed' THEN '${part}_reversed' ELSE '${part}_refunded' END,
  CASE kind WHEN 'capture' THEN 'sales' ELSE '${account}' END, CASE kind WHEN 'capture' THEN '${account}' ELSE 'sales' END,
  ${parts[part]}, subject_id, day, at FROM ledger_transfers WHERE ${transfers}`);
  }
}

function shareOf(amount: number, total: number, parts: Parts): Parts {
  if (amount >= total) return parts;
  const share = (part: number) => Number((BigInt(amount) * BigInt(part)) / BigInt(total));
  return { tip: share(parts.tip), surcharge: share(parts.surcharge) };
}

/** Returns a decimal of the terminal, which has all decimals of its currency, in minor units; 0 for anything else. */
function minorOf(decimal: unknown): number {
  return typeof decimal === 'string' && /^\d{1,8}(\.\d{2,4})?$/.test(decimal) ? Number(decimal.replace('.', '')) : 0;
}

const POST_BALANCES = `INSERT INTO ledger_balances (tenant_id, merchant_id, currency, account, n)
SELECT tenant_id, merchant_id, currency, account, sum(amount) FROM (
  SELECT tenant_id, merchant_id, currency, debit AS account, amount_minor AS amount FROM ledger_transfers
  UNION ALL SELECT tenant_id, merchant_id, currency, credit, -amount_minor FROM ledger_transfers
) AS sides WHERE account IN (${PART_ACCOUNTS}) GROUP BY tenant_id, merchant_id, currency, account`;

/** Part transfers with the payment that they belong to, and the refund if they are of one. */
const partTransfers = (part: string) => `ledger_transfers l LEFT JOIN refunds r ON r.tenant_id = l.tenant_id AND r.id = l.subject_id
JOIN transactions t ON t.tenant_id = l.tenant_id AND t.id = coalesce(r.transaction_id, l.subject_id)
WHERE l.kind IN ('${part}', '${part}_reversed', '${part}_refunded')`;

/** Statement that counts a part by day, beside the movements that it belongs to. */
const countPart = (part: string) => {
  const movement = `CASE l.kind WHEN '${part}' THEN 'capture' WHEN '${part}_reversed' THEN 'capture_reversed' ELSE CASE WHEN r.status = 'approved' THEN 'refund' ELSE 'refund_outside' END END`;
  const columns = `l.tenant_id, l.merchant_id, ${movement}, l.day, l.currency, t.type, t.method, coalesce(t.card_brand, 'ach'), coalesce(r.type, '')`;
  return `INSERT INTO transaction_facts (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure, n)
SELECT ${columns}, '${part}', sum(l.amount_minor) FROM ${partTransfers(part)} GROUP BY ${columns}`;
};

/** Statement that counts the tips of each person by day. */
const countPersonTips = (measure: 'count' | 'amount' | 'refunded') => {
  const kinds = measure === 'refunded' ? "l.kind = 'tip_refunded'" : "l.kind <> 'tip_refunded'";
  const n = measure === 'count' ? '1' : 'l.amount_minor';
  const columns = "l.tenant_id, l.merchant_id, l.day, l.currency, coalesce(t.created_by, '')";
  return `INSERT INTO transaction_facts (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure, n)
SELECT l.tenant_id, l.merchant_id, 'person_tip', l.day, l.currency, '', '', '', coalesce(t.created_by, ''), '${measure}',
  sum(CASE l.kind WHEN 'tip_reversed' THEN -${n} ELSE ${n} END) FROM ${partTransfers('tip')} AND ${kinds} GROUP BY ${columns}`;
};
