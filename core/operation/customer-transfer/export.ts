import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { READABLE_CUSTOMERS, READABLE_EXTERNAL_IDS, READABLE_METHODS } from '#core/sales/customers';
import type { Dependencies } from './dependencies.ts';
import { type ExportCustomer, writerOf } from './export-layouts.ts';
import { encryptContent, readRecipient } from './openpgp.ts';
import type { CustomerExport, ExportLayout } from './records.ts';
import { EXPORTS, type ExportRow } from './schema.ts';

/** Time in which an export can be downloaded. */
const LIFETIME_MS = 15 * 60_000;
const BLOCK = 200;

const queries = queriesOn(READABLE_CUSTOMERS, READABLE_METHODS, READABLE_EXTERNAL_IDS);

export interface ExportInput {
  /** OpenPGP public key of the recipient, in ASCII armor. */
  readonly publicKey: string;
  readonly layout: ExportLayout;
  readonly merchantId?: string | undefined;
}

const toExport = (row: ExportRow): CustomerExport => ({
  exportId: row.id,
  merchantId: row.merchant_id,
  layout: row.layout,
  recipient: row.recipient,
  recipientFingerprint: row.recipient_fingerprint,
  status: row.status,
  customerCount: Number(row.customer_count),
  paymentMethodCount: Number(row.method_count),
  leftOutCount: Number(row.left_out_count ?? 0),
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  finishedAt: row.finished_at,
});

/**
 * Allows one download of the customers with their card numbers, encrypted for a recipient. Where changes of access need two people, this does as well.
 * @throws ApprovalRequired; ServiceError VALIDATION_ERROR on `publicKey`.
 */
export async function createExport(deps: Dependencies, actor: Actor, input: ExportInput): Promise<CustomerExport> {
  const { tenantId } = actor;
  const recipient = await readRecipient(input.publicKey, 'publicKey');
  const merchant_id = input.merchantId ?? actor.merchantId;
  if (merchant_id !== null) await deps.merchantFor(actor, merchant_id);
  const nowMs = deps.clockOf(tenantId).now();
  const row: ExportRow = {
    tenant_id: tenantId,
    id: newId('cex', nowMs),
    merchant_id,
    layout: input.layout,
    recipient: recipient.name,
    recipient_fingerprint: recipient.fingerprint,
    public_key: recipient.publicKey,
    status: 'ready',
    customer_count: 0,
    method_count: 0,
    left_out_count: null,
    created_by: actor.name,
    created_at: isoTime(nowMs),
    expires_at: isoTime(nowMs + LIFETIME_MS),
    finished_at: null,
  };
  const facts = { layout: row.layout, recipient: row.recipient, recipientFingerprint: row.recipient_fingerprint };
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const details = { change: 'export of card numbers', ...facts };
    await deps.checkApproval(work, actor, {
      kind: 'access_change',
      merchantId: merchant_id,
      resource: 'customers/exports',
      amount: null,
      details,
    });
    work.insert(EXPORTS, row);
    deps.audit(work, {
      actor,
      action: 'customer_export.created',
      resource: `customers/exports/${row.id}`,
      merchantId: merchant_id,
      after: facts,
    });
  });
  return toExport(row);
}

/** Returns the exports of the account, newest first. */
export async function exportsOf({ database }: Dependencies, { tenantId, merchantId }: Actor): Promise<CustomerExport[]> {
  const rows = await database.read(tenantId).find(EXPORTS, {}, { orderBy: [['id', 'desc']], limit: 100 });
  return rows.filter((row) => merchantId === null || row.merchant_id === merchantId).map(toExport);
}

/**
 * Writes an export as an OpenPGP message, customer by customer. It is claimed first, so that it is downloaded at most once. @throws ServiceError
 * NOT_FOUND; RESOURCE_CONFLICT if it was downloaded or has expired.
 */
export async function downloadExport(
  deps: Dependencies,
  actor: Actor,
  exportId: string,
): Promise<{ filename: string; content: AsyncIterable<Uint8Array> }> {
  const { tenantId } = actor;
  const row = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const found = await work.lockOne(EXPORTS, { id: exportId });
    if (!found || (actor.merchantId !== null && actor.merchantId !== found.merchant_id))
      throw new ServiceError('NOT_FOUND', `There is no export ${exportId.slice(0, 60)}.`, { details: { exportId } });
    const isLate = found.expires_at <= isoTime(deps.clockOf(tenantId).now());
    if (found.status !== 'ready' || isLate)
      throw new ServiceError('RESOURCE_CONFLICT', 'This export was downloaded already or has expired. Create another one.', {
        details: { exportId, status: isLate && found.status === 'ready' ? 'expired' : found.status },
      });
    await work.update(EXPORTS, { id: exportId }, { status: 'downloading' });
    deps.audit(work, {
      actor,
      action: 'customer_export.started',
      resource: `customers/exports/${exportId}`,
      merchantId: found.merchant_id,
    });
    return found;
  });
  const writer = writerOf(row.layout);
  const counts = { customers: 0, methods: 0, leftOut: 0 };
  async function* text(): AsyncGenerator<string> {
    yield writer.begin();
    for await (const customers of customersOf(deps, tenantId, row.merchant_id, counts)) {
      for (const customer of customers) {
        counts.customers += 1;
        counts.methods += customer.methods.length;
        yield writer.customer(customer);
      }
    }
    yield writer.end();
  }
  const encrypted = await encryptContent(text(), writer.filename, row.public_key);
  async function* content(): AsyncGenerator<Uint8Array> {
    let isComplete = false;
    try {
      yield* encrypted;
      isComplete = true;
    } finally {
      await finishExport(deps, actor, row, counts, isComplete);
    }
  }
  return { filename: `${writer.filename}.pgp`, content: content() };
}

async function finishExport(
  deps: Dependencies,
  actor: Actor,
  row: ExportRow,
  counts: { readonly customers: number; readonly methods: number; readonly leftOut: number },
  isComplete: boolean,
): Promise<void> {
  const { tenant_id, id, merchant_id } = row;
  const nowMs = deps.clockOf(tenant_id).now();
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const status = isComplete ? 'downloaded' : 'failed';
    const set = {
      status,
      customer_count: counts.customers,
      method_count: counts.methods,
      left_out_count: counts.leftOut,
      finished_at: isoTime(nowMs),
    } as const;
    await work.update(EXPORTS, { id }, set);
    const { customers, methods: paymentMethods, leftOut } = counts;
    const after = { customers, paymentMethods, leftOut, recipientFingerprint: row.recipient_fingerprint };
    deps.audit(work, { actor, action: `customer_export.${status}`, resource: `customers/exports/${id}`, merchantId: merchant_id, after });
    if (!isComplete) return;
    deps.emit(work, {
      tenantId: tenant_id,
      merchantId: merchant_id ?? '',
      type: 'customer_export.downloaded',
      resourceId: id,
      atMs: nowMs,
      data: {
        exportId: id,
        layout: row.layout,
        recipientFingerprint: row.recipient_fingerprint,
        customerCount: counts.customers,
        paymentMethodCount: counts.methods,
        leftOutCount: counts.leftOut,
        createdBy: row.created_by,
      },
    });
  });
}

/**
 * Yields the customers of a merchant, or of the account, in blocks with their payment methods. Numbers are opened one block at a time. Counts the cards that
 * only a gateway has.
 */
async function* customersOf(
  deps: Dependencies,
  tenantId: string,
  merchantId: string | null,
  counts: { leftOut: number },
): AsyncGenerator<ExportCustomer[]> {
  const read = deps.database.read(tenantId);
  for await (const { rows, methods, externalIds } of blocksOf(read, merchantId)) {
    const opened = await Promise.all(
      methods.map(async (method) => {
        const source = (await deps.vault.has(read, method.token)) ? await deps.vault.open(tenantId, method.token) : null;
        // The method was removed in the meantime.
        if (source === null) return [];
        if (source.kind !== 'card-at-gateway') return [{ ...method, source }];
        counts.leftOut += 1;
        return [];
      }),
    );
    yield rows.map((row) => ({
      ...row,
      externalIds: externalIds.filter(({ customer_id }) => customer_id === row.id),
      methods: opened.flat().filter(({ customer_id }) => customer_id === row.id),
    }));
  }
}

async function* blocksOf(read: Read, merchantId: string | null) {
  for (let last = ''; ; ) {
    let customers = queries
      .selectFrom('customers')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('deleted_at', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BLOCK);
    if (merchantId !== null) customers = customers.where('merchant_id', '=', merchantId);
    const rows = await read.rows(customers);
    const ids = rows.map(({ id }) => id);
    const methods = ids.length === 0 ? [] : await read.rows(methodsOf(ids));
    const externalIds = ids.length === 0 ? [] : await read.rows(externalIdsOf(ids));
    yield { rows, methods, externalIds };
    if (rows.length < BLOCK) return;
    last = rows.at(-1)?.id ?? '';
  }
}

const methodsOf = (ids: readonly string[]) =>
  queries.selectFrom('payment_methods').selectAll().where('tenant_id', '=', TENANT).where('customer_id', 'in', listOf(ids)).orderBy('id');

const externalIdsOf = (ids: readonly string[]) =>
  queries
    .selectFrom('customer_external_ids')
    .select(['source', 'external_id', 'customer_id'])
    .where('tenant_id', '=', TENANT)
    .where('customer_id', 'in', listOf(ids));

/** A payment method of a customer without its number, or a customer without one, as everyone with access to customers may see it. */
export interface ListedMethod {
  readonly customerId: string;
  readonly merchantId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly company: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly externalIds: string;
  readonly paymentMethodId: string | null;
  readonly type: string | null;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly expires: string | null;
  readonly isDefault: boolean;
  readonly token: string | null;
}

/** Yields the customers of the caller's merchants with their payment methods, without numbers. */
export async function* listedCustomers(deps: Dependencies, actor: Actor, merchantId: string | undefined): AsyncGenerator<ListedMethod[]> {
  const merchant = merchantId ?? actor.merchantId;
  if (merchant !== null) await deps.merchantFor(actor, merchant);
  for await (const { rows, methods, externalIds } of blocksOf(deps.database.read(actor.tenantId), merchant))
    yield rows.flatMap((row) => {
      const own = methods.filter(({ customer_id }) => customer_id === row.id);
      const ids = externalIds.filter(({ customer_id }) => customer_id === row.id);
      return (own.length === 0 ? [null] : own).map((method) => ({
        customerId: row.id,
        merchantId: row.merchant_id,
        firstName: row.first_name,
        lastName: row.last_name,
        company: row.company,
        email: row.email,
        phone: row.phone,
        externalIds: ids.map(({ source, external_id }) => `${source}:${external_id}`).join(' '),
        paymentMethodId: method?.id ?? null,
        type: method?.kind ?? null,
        brand: method?.brand ?? null,
        last4: method?.last4 ?? null,
        expires: method === null || method.expiry_month === null ? null : `${method.expiry_year}-${method.expiry_month}`,
        isDefault: method !== null && method.id === row.default_method_id,
        token: method?.token ?? null,
      }));
    });
}
