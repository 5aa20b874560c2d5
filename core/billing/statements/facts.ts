import { setImmediate as pause } from 'node:timers/promises';
import { READABLE_INVOICE_PAYMENTS, READABLE_INVOICES, READABLE_LATE_FEES } from '#core/billing/invoicing';
import { listOf, lit, queriesOn, type Read, TENANT } from '#core/database';
import { READABLE_TRANSFERS } from '#core/records/ledger';
import { READABLE_ATTEMPTS, READABLE_REFUND_QUEUE, READABLE_REFUNDS, READABLE_TRANSACTIONS } from '#core/sales/payments';
import { READABLE_TENDER_REFUNDS, READABLE_TENDERS } from '#core/sales/tenders';
import type { InvoiceFacts, Movement, PaymentFacts } from './account.ts';

const queries = queriesOn(
  READABLE_INVOICES,
  READABLE_INVOICE_PAYMENTS,
  READABLE_LATE_FEES,
  READABLE_TRANSACTIONS,
  READABLE_ATTEMPTS,
  READABLE_REFUNDS,
  READABLE_REFUND_QUEUE,
  READABLE_TENDERS,
  READABLE_TENDER_REFUNDS,
  READABLE_TRANSFERS,
);

/** Invoices or sales that are read together. */
const BATCH = 200;
/** Largest list of IDs in a condition. */
const LIST_MAX = 512;

interface Customer {
  readonly customerId: string;
  readonly merchantId: string;
}

/** Runs a query for IDs in lists that the database accepts. */
async function inLists<Row>(ids: readonly string[], find: (list: string[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < ids.length; start += LIST_MAX) {
    for (const row of await find(listOf(ids.slice(start, start + LIST_MAX)))) found.push(row);
  }
  return found;
}

/** Yields all rows of a query by ID, a batch at a time. Other requests run between two batches, although SQLite answers synchronously. */
async function* batches<Row extends { readonly id: string }>(find: (after: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await find(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    after = last.id;
    await pause();
  }
}

/** Yields the invoices of a customer, which may be drafts, with their payments. */
export async function* invoicesOf(read: Read, { customerId, merchantId }: Customer): AsyncGenerator<InvoiceFacts[]> {
  const found = batches((after) =>
    read.rows(
      queries
        .selectFrom('invoices')
        .select(['id', 'number', 'currency', 'amount_minor', 'late_fee_minor', 'status', 'due_date', 'sent_at', 'cancelled_at'])
        .where('tenant_id', '=', TENANT)
        .where('customer_id', '=', customerId)
        .where('merchant_id', '=', merchantId)
        .where('kind', '=', lit('invoice'))
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH),
    ),
  );
  for await (const rows of found) {
    const ids = rows.map(({ id }) => id);
    const [payments, fees] = await Promise.all([paymentsOf(read, ids), feesOf(read, ids)]);
    yield rows.map((row) => {
      // All payments of a draft were voided. It is not part of a statement.
      const paid = row.status === 'draft' ? [] : (payments.get(row.id) ?? []);
      const times = [row.sent_at, ...paid.map(({ createdAt }) => createdAt)].filter((at) => at !== null);
      return {
        invoiceId: row.id,
        number: row.number,
        currency: row.currency,
        amountMinor: row.amount_minor - row.late_fee_minor,
        dueDate: row.due_date,
        // A payment can come before the invoice is sent.
        issuedAt: row.status === 'draft' ? null : (times.toSorted()[0] ?? null),
        cancelledAt: row.cancelled_at,
        lateFees: fees.get(row.id) ?? [],
        payments: paid,
      };
    });
  }
}

/** Returns the late fees of invoices. */
async function feesOf(read: Read, invoiceIds: readonly string[]) {
  const rows = await inLists(invoiceIds, (ids) =>
    read.rows(
      queries
        .selectFrom('late_fees')
        .select(['id', 'invoice_id', 'amount_minor', 'day', 'created_at', 'reversed_at'])
        .where('tenant_id', '=', TENANT)
        .where('invoice_id', 'in', ids),
    ),
  );
  const fees = rows.map(({ id, invoice_id: invoiceId, amount_minor: amountMinor, day, created_at: at, reversed_at: reversedAt }) => ({
    id,
    invoiceId,
    amountMinor,
    at,
    day,
    reversedAt,
  }));
  return Map.groupBy(fees, ({ invoiceId }) => invoiceId);
}

type DatedPayment = PaymentFacts & { readonly createdAt: string };

/** Returns the payments of invoices that moved money. */
async function paymentsOf(read: Read, invoiceIds: readonly string[]): Promise<Map<string, DatedPayment[]>> {
  const rows = await inLists(invoiceIds, (ids) =>
    read.rows(
      queries
        .selectFrom('invoice_payments as p')
        .leftJoin('transactions as t', (join) => join.on('t.tenant_id', '=', TENANT).onRef('t.id', '=', 'p.transaction_id'))
        .leftJoin('tenders as c', (join) => join.on('c.tenant_id', '=', TENANT).onRef('c.id', '=', 'p.tender_id'))
        .select([
          'p.id',
          'p.invoice_id',
          'p.amount_minor',
          'p.currency',
          'p.method',
          'p.status',
          'p.transaction_id',
          'p.tender_id',
          'p.reference',
          'p.created_at',
          'p.concluded_at',
          't.last4',
          't.returned_at',
          'c.returned_at as check_returned_at',
        ])
        .where('p.tenant_id', '=', TENANT)
        .where('p.invoice_id', 'in', ids)
        .where('p.status', 'in', [lit('succeeded'), lit('voided')]),
    ),
  );
  const [ofTransactions, ofTenders] = await Promise.all([
    movementsOfTransactions(
      read,
      rows.flatMap(({ transaction_id: id }) => id ?? []),
    ),
    movementsOfTenders(
      read,
      rows.flatMap(({ tender_id: id }) => id ?? []),
    ),
  ]);
  const payments = rows.flatMap((row): (DatedPayment & { invoiceId: string })[] => {
    const { transaction_id: transactionId, tender_id: tenderId } = row;
    const found =
      transactionId !== null
        ? (ofTransactions.get(transactionId) ?? [])
        : tenderId !== null
          ? (ofTenders.get(tenderId) ?? [])
          : recorded(row.id, row.concluded_at ?? row.created_at, row.status === 'succeeded' ? row.amount_minor : 0);
    // A payment that was voided before it succeeded moved nothing.
    if (!found.some(({ kind }) => kind === 'received')) return [];
    const returnedAt = row.status === 'voided' ? (row.returned_at ?? row.check_returned_at) : null;
    const movements =
      returnedAt === null || found.some(({ kind }) => kind === 'returned')
        ? found
        : [...found, { id: `${row.id}-returned`, kind: 'returned' as const, at: returnedAt, day: null, amountMinor: 0, extraMinor: 0 }];
    return [
      {
        invoiceId: row.invoice_id,
        createdAt: row.created_at,
        transactionId,
        tenderId,
        method: row.method,
        last4: row.last4 || null,
        reference: row.reference,
        currency: row.currency,
        amountMinor: row.amount_minor,
        movements,
      },
    ];
  });
  return Map.groupBy(payments, ({ invoiceId }) => invoiceId);
}

const recorded = (id: string, at: string, amountMinor: number): Movement[] =>
  amountMinor === 0 ? [] : [{ id, kind: 'received', at, day: null, amountMinor, extraMinor: 0 }];

/** Yields the payments of a customer that pay no invoice. Gift cards are not part of the account. */
export async function* salesOf(read: Read, { customerId, merchantId }: Customer): AsyncGenerator<PaymentFacts[]> {
  const transactions = batches((after) =>
    read.rows(
      queries
        .selectFrom('transactions')
        .select(['id', 'currency', 'method', 'last4', 'amount_minor'])
        .where('tenant_id', '=', TENANT)
        .where('customer_id', '=', customerId)
        .where('merchant_id', '=', merchantId)
        .where('invoice_id', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH),
    ),
  );
  for await (const rows of transactions) {
    const movements = await movementsOfTransactions(
      read,
      rows.map(({ id }) => id),
    );
    yield rows.map(({ id, currency, method, last4, amount_minor: amountMinor }) => {
      const origin = { transactionId: id, tenderId: null, method, last4: last4 || null, reference: null };
      return { ...origin, currency, amountMinor, movements: movements.get(id) ?? [] };
    });
  }
  const tenders = batches((after) =>
    read.rows(
      queries
        .selectFrom('tenders')
        .select(['id', 'currency', 'kind', 'amount_minor', 'check_number'])
        .where('tenant_id', '=', TENANT)
        .where('customer_id', '=', customerId)
        .where('merchant_id', '=', merchantId)
        .where('invoice_id', 'is', null)
        .where('kind', '<>', lit('gift_card'))
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH),
    ),
  );
  for await (const rows of tenders) {
    const movements = await movementsOfTenders(
      read,
      rows.map(({ id }) => id),
    );
    yield rows.map(({ id, currency, kind, amount_minor: amountMinor, check_number: reference }) => {
      const origin = { transactionId: null, tenderId: id, method: kind, last4: null, reference };
      return { ...origin, currency, amountMinor, movements: movements.get(id) ?? [] };
    });
  }
}

/** Transfers of the ledger by their ID. */
async function transfersBy(read: Read, ids: readonly string[]) {
  const rows = await inLists(ids, (list) =>
    read.rows(
      queries
        .selectFrom('ledger_transfers')
        .select(['id', 'kind', 'amount_minor', 'day', 'at'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const byTime = (movements: readonly Movement[]): Movement[] =>
  movements.toSorted((left, right) => (left.at < right.at ? -1 : left.at === right.at ? 0 : 1));

const KINDS = { capture: 'received', capture_reversed: 'reversed', refund: 'refunded', credit: 'credited' } as const;

/** Returns the movements of payments through a processor. */
async function movementsOfTransactions(read: Read, transactionIds: readonly string[]): Promise<Map<string, Movement[]>> {
  const [attempts, refunds] = await Promise.all([
    inLists(transactionIds, (ids) =>
      read.rows(
        queries
          .selectFrom('attempts')
          .select(['id', 'transaction_id', 'refund_id', 'operation'])
          .where('tenant_id', '=', TENANT)
          .where('transaction_id', 'in', ids),
      ),
    ),
    inLists(transactionIds, (ids) =>
      read.rows(
        queries
          .selectFrom('refunds')
          .select(['id', 'transaction_id', 'sent_as', 'tip_minor', 'surcharge_minor'])
          .where('tenant_id', '=', TENANT)
          .where('transaction_id', 'in', ids),
      ),
    ),
  ]);
  const outside = await inLists(
    refunds.map(({ id }) => id),
    (ids) =>
      read.rows(
        queries
          .selectFrom('refund_decline_queue')
          .select(['id', 'transaction_id', 'refund_id'])
          .where('tenant_id', '=', TENANT)
          .where('refund_id', 'in', ids)
          .where('status', '=', lit('resolved')),
      ),
  );
  const adjusted = attempts.filter(({ operation }) => operation === 'adjust').map(({ id }) => `${id}-reversed`);
  const toStoreCredit = refunds.filter(({ sent_as: sentAs }) => sentAs === 'store_credit');
  const transfers = await transfersBy(read, [...attempts, ...outside, ...toStoreCredit].map(({ id }) => id).concat(adjusted));
  const refundBy = new Map(refunds.map((refund) => [refund.id, refund]));
  const extraOf = (refundId: string | null) => {
    const refund = refundBy.get(refundId ?? '');
    return refund === undefined ? 0 : refund.tip_minor + refund.surcharge_minor;
  };
  const found = new Map<string, Movement[]>();
  const add = (transactionId: string, movement: Movement) => {
    const known = found.get(transactionId);
    if (known) known.push(movement);
    else found.set(transactionId, [movement]);
  };
  for (const { id, transaction_id: transactionId, refund_id: refundId } of attempts) {
    const correction = transfers.get(`${id}-reversed`);
    if (correction) add(transactionId, { id: correction.id, kind: 'corrected', ...sumOf(correction), extraMinor: 0 });
    const transfer = transfers.get(id);
    const kind = transfer && (KINDS as Readonly<Record<string, Movement['kind']>>)[transfer.kind];
    if (!transfer || !kind) continue;
    const isReturn = kind === 'refunded' && refundBy.get(refundId ?? '')?.sent_as === 'return';
    add(transactionId, { id, kind: isReturn ? 'returned' : kind, ...sumOf(transfer), extraMinor: extraOf(refundId) });
  }
  for (const { id, transaction_id: transactionId, refund_id: refundId } of outside) {
    const transfer = transfers.get(id);
    if (transfer) add(transactionId, { id, kind: 'refunded', ...sumOf(transfer), extraMinor: extraOf(refundId) });
  }
  for (const { id, transaction_id: transactionId } of toStoreCredit) {
    const transfer = transfers.get(id);
    if (transfer) add(transactionId, { id, kind: 'to_store_credit', ...sumOf(transfer), extraMinor: extraOf(id) });
  }
  return new Map([...found].map(([id, movements]) => [id, byTime(movements)]));
}

const sumOf = ({ at, day, amount_minor: amountMinor }: { readonly at: string; readonly day: string; readonly amount_minor: number }) => ({
  at,
  day,
  amountMinor,
});

/** Returns the movements of payments without a processor. */
async function movementsOfTenders(read: Read, tenderIds: readonly string[]): Promise<Map<string, Movement[]>> {
  const refunds = await inLists(tenderIds, (ids) =>
    read.rows(
      queries
        .selectFrom('tender_refunds')
        .select(['id', 'tender_id', 'is_return'])
        .where('tenant_id', '=', TENANT)
        .where('tender_id', 'in', ids),
    ),
  );
  const transfers = await transfersBy(read, [...tenderIds, ...refunds.map(({ id }) => id)]);
  const refundsBy = Map.groupBy(refunds, ({ tender_id: id }) => id);
  return new Map(
    tenderIds.map((tenderId) => {
      const received = transfers.get(tenderId);
      const returned = (refundsBy.get(tenderId) ?? []).flatMap(({ id, is_return: isReturn }): Movement[] => {
        const transfer = transfers.get(id);
        if (!transfer) return [];
        const kind = isReturn === 1 ? 'returned' : transfer.kind === 'gift_card_refund' ? 'to_store_credit' : 'refunded';
        return [{ id, kind, ...sumOf(transfer), extraMinor: 0 }];
      });
      const first: Movement[] = received ? [{ id: tenderId, kind: 'received', ...sumOf(received), extraMinor: 0 }] : [];
      return [tenderId, [...first, ...byTime(returned)]];
    }),
  );
}
