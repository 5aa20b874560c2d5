import { queriesOn, TENANT, table, text, type Work } from '#core/database';
import { dateIn, isoTime } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { READABLE_CARDS } from '#core/records/vault';
import type { Dependencies } from './dependencies.ts';
import { readTransaction } from './repository.ts';
import { ATTEMPTS, TRANSACTIONS } from './schema.ts';

/** Device details of a payment that its payer made, by transaction ID. They are evidence if the payment is disputed later. */
export const PAYMENT_CONTEXTS = table(
  'payment_contexts',
  {
    tenant_id: text,
    id: text,
    /** JSON of PayerContext, encrypted. */
    sealed: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

/** Device details of a payer who entered a card in hosted fields, by card token, until the shop charges it. */
export const TOKEN_CONTEXTS = table(
  'token_contexts',
  {
    tenant_id: text,
    id: text,
    /** JSON of PayerContext, encrypted. */
    sealed: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

/** Time after the entry of a card in which its first charges are made by the same payer. */
const TOKEN_CONTEXT_MS = 3_600_000;

/** Device and shipping details that the payer's browser or the shop sent; absent ones were not sent. */
export interface PayerContext {
  readonly ipAddress?: string;
  readonly userAgent?: string;
  /** Random ID that the pay page or the hosted fields keep in the browser. */
  readonly deviceId?: string;
  readonly shippingAddress?: string;
}

/** A payment with the details that link it to others of the same card. */
export interface TracedPayment {
  readonly transactionId: string;
  /** Day of the payment in the merchant's time zone. */
  readonly date: string;
  readonly isDisputed: boolean;
  readonly amountMinor: number;
  readonly customerId: string | null;
  readonly customerEmail: string | null;
  readonly context: PayerContext;
}

const CONTEXT_PURPOSE = 'payment-context';
/** Largest number of earlier payments of a card that are read. */
const EARLIER_MAX = 200;

const queries = queriesOn(TRANSACTIONS, READABLE_CARDS);
const tokenQueries = queriesOn(TOKEN_CONTEXTS);
/** Largest number of rows that one clean-up deletes. */
const SWEPT_MAX = 1_000;

/** Keeps the device details of a payer who entered a card in hosted fields. */
export async function keepTokenContext(deps: Dependencies, tenantId: string, token: string, context: PayerContext): Promise<void> {
  const sealed = await sealContext(deps, tenantId, context);
  if (sealed === null) return;
  const created_at = isoTime(deps.clockOf(tenantId).now());
  await deps.database.unitOfWork.transaction(tenantId, async (work) =>
    work.insert(TOKEN_CONTEXTS, { tenant_id: tenantId, id: token, sealed, created_at }),
  );
}

/** Returns the details of the payer who entered a card in hosted fields within the last hour; empty for any other token. */
export async function tokenContextOf(deps: Dependencies, tenantId: string, token: string): Promise<PayerContext> {
  const kept = await deps.database.read(tenantId).one(TOKEN_CONTEXTS, { id: token });
  if (kept === null || Date.parse(kept.created_at) + TOKEN_CONTEXT_MS < deps.clockOf(tenantId).now()) return {};
  return JSON.parse(await deps.vault.openText(tenantId, CONTEXT_PURPOSE, kept.sealed)) as PayerContext;
}

/** Deletes the details of cards that were entered more than an hour ago. Step of the hourly clean-up. */
export async function deleteOldTokenContexts(deps: Dependencies, tenantId: string): Promise<void> {
  const until = isoTime(deps.clockOf(tenantId).now() - TOKEN_CONTEXT_MS);
  const old = await deps.database
    .read(tenantId)
    .rows(
      tokenQueries
        .selectFrom('token_contexts')
        .select('id')
        .where('tenant_id', '=', TENANT)
        .where('created_at', '<', until)
        .limit(SWEPT_MAX),
    );
  if (old.length === 0) return;
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    for (const { id } of old) await work.delete(TOKEN_CONTEXTS, { id });
  });
}

/** Returns the encrypted details of a payer; null if there are none. */
export async function sealContext(deps: Dependencies, tenantId: string, context: PayerContext | undefined): Promise<string | null> {
  return context === undefined || Object.values(context).every((value) => value === undefined)
    ? null
    : deps.vault.sealText(tenantId, CONTEXT_PURPOSE, JSON.stringify(context));
}

/**
 * Returns a payment and the earlier captured payments of the same card or account at the same merchant by the same customer, newest first.
 * Payments of another customer are left out, because evidence must not contain their data. Payments without a customer and an email address belong
 * together if they have the same name, or none.
 */
export async function tracedPayments(
  deps: Dependencies,
  tenantId: string,
  transactionId: string,
): Promise<{ readonly payment: TracedPayment; readonly earlier: readonly TracedPayment[] }> {
  const read = deps.database.read(tenantId);
  const row = await readTransaction(read, transactionId);
  const { timezone } = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const card = await read.row(
    queries.selectFrom('vault_entries').select('fingerprint').where('tenant_id', '=', TENANT).where('id', '=', row.token),
  );
  const rows =
    card === null
      ? []
      : await read.rows(
          queries
            .selectFrom('transactions as t')
            .innerJoin('vault_entries as v', (join) => join.onRef('v.tenant_id', '=', 't.tenant_id').onRef('v.id', '=', 't.token'))
            .selectAll('t')
            .where('t.tenant_id', '=', TENANT)
            .where('t.merchant_id', '=', row.merchant_id)
            .where('v.fingerprint', '=', card.fingerprint)
            .where('t.id', '<', row.id)
            .orderBy('t.id', 'desc')
            .limit(EARLIER_MAX),
        );
  const isAnonymous = (each: typeof row) => each.customer_id === null && each.customer_email === null;
  const isSamePayer = (other: typeof row) =>
    (row.customer_id !== null && other.customer_id === row.customer_id) ||
    (row.customer_email !== null && other.customer_email === row.customer_email) ||
    (isAnonymous(row) && isAnonymous(other) && other.customer_name === row.customer_name);
  const traced = async (each: typeof row): Promise<TracedPayment> => ({
    transactionId: each.id,
    date: dateIn(timezone, Date.parse(each.created_at)),
    isDisputed: each.disputed_minor > 0 || each.returned_at !== null,
    amountMinor: each.captured_minor,
    customerId: each.customer_id,
    customerEmail: each.customer_email,
    context: await contextOf(deps, tenantId, each.id),
  });
  const kept = rows.filter((other) => other.status === 'approved' && other.captured_minor > 0 && isSamePayer(other));
  return { payment: await traced(row), earlier: await Promise.all(kept.map(traced)) };
}

/** Returns the details of the payer that were kept for a payment; for payments at the desk, none. */
export async function contextOf(deps: Dependencies, tenantId: string, transactionId: string): Promise<PayerContext> {
  const read = deps.database.read(tenantId);
  const kept = await read.one(PAYMENT_CONTEXTS, { id: transactionId });
  if (kept !== null) return JSON.parse(await deps.vault.openText(tenantId, CONTEXT_PURPOSE, kept.sealed)) as PayerContext;
  const [attempt] = await read.find(ATTEMPTS, { transaction_id: transactionId }, { orderBy: [['id', 'asc']], limit: 1 });
  // The address of a desk or a program is not that of the payer.
  return attempt?.actor === 'payer' && attempt.ip !== null ? { ipAddress: attempt.ip } : {};
}

/** Removes the device details and IP addresses of a customer's payments, in the unit of work of the customer's deletion. */
export async function forgetContexts(work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> {
  for (const { id } of await work.find(TRANSACTIONS, { customer_id: customerId })) {
    await work.delete(PAYMENT_CONTEXTS, { id });
    await work.update(ATTEMPTS, { transaction_id: id, actor: 'payer' }, { ip: null });
  }
}
