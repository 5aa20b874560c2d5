import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, realNow, ServiceError, serviceActor, step } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { discardLines } from './discard.ts';
import { customerKeyOf, type Fingerprinted, knownOf } from './facts.ts';
import type { ImportRecord } from './files/index.ts';
import { destroyKeyIn } from './keys.ts';
import { countsFrom, type Decision, decide, importedOf, type LineReason, NOTHING_IN_FILE, withOneMore } from './plan.ts';
import { readImport, toImport } from './read.ts';
import type { CustomerImport, SharedCards, UnreadableCards } from './records.ts';
import { IMPORT_JOB, IMPORT_LINES, IMPORTS, type ImportLineRow, type ImportRow, lineContext } from './schema.ts';
import { fingerprinted } from './stage.ts';
import { STEPS } from './steps.ts';

const LEASE_MS = 20_000;
/** Time after which a running import lets other jobs run. */
const SLICE_MS = 2_000;
/** Lines that are read together. Each is imported in its own unit of work. */
const READ_BLOCK = 100;

const queries = queriesOn(IMPORT_LINES);

/** Decisions about the cards of an import. A decision that is left out stays as it was. */
export interface RunChoice {
  readonly sharedCards?: SharedCards | undefined;
  readonly unreadableCards?: UnreadableCards | undefined;
}

/** Starts an import, or continues a stopped one. When several requests start it, one succeeds. @throws ServiceError RESOURCE_CONFLICT */
export function runImport(
  deps: Dependencies,
  actor: Actor,
  importId: string,
  { sharedCards, unreadableCards }: RunChoice,
): Promise<CustomerImport> {
  return change(deps, actor, importId, 'run', (row) => ({
    shared_cards: sharedCards ?? row.shared_cards,
    unreadable_cards: unreadableCards ?? row.unreadable_cards,
    started_by: actor.name,
    ...released(realNow()),
  }));
}

/** Stops a running import after the present line. @throws ServiceError RESOURCE_CONFLICT */
export function stopImport(deps: Dependencies, actor: Actor, importId: string): Promise<CustomerImport> {
  return change(deps, actor, importId, 'stop', () => released(null));
}

/** Destroys what was read and not imported. Customers that were imported stay. @throws ServiceError RESOURCE_CONFLICT while it runs. */
export async function discardImport(deps: Dependencies, actor: Actor, importId: string): Promise<CustomerImport> {
  const discarded = await change(deps, actor, importId, 'discard', (_, at) => ({ finished_at: at }));
  await discardLines(deps, { tenant_id: actor.tenantId, id: importId }, { isRemoved: false });
  return discarded;
}

async function change(
  deps: Dependencies,
  actor: Actor,
  importId: string,
  operation: 'run' | 'stop' | 'discard',
  set: (row: ImportRow, at: string) => Partial<ImportRow>,
): Promise<CustomerImport> {
  await readImport(deps, actor, importId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await work.lockOne(IMPORTS, { id: importId });
    if (!row) throw new ServiceError('NOT_FOUND', 'This import no longer exists.', { details: { importId } });
    const status = step(STEPS, row.status, operation, { importId, status: row.status });
    const updated_at = isoTime(deps.clockOf(actor.tenantId).now());
    const columns = { ...set(row, updated_at), status, updated_at };
    await work.update(IMPORTS, { id: importId }, columns);
    if (operation === 'discard') await deps.vault.destroyOwner(work, importId);
    deps.audit(work, {
      actor,
      action: `customer_import.${{ run: 'started', stop: 'stopped', discard: 'discarded' }[operation]}`,
      resource: `customers/imports/${importId}`,
      merchantId: row.merchant_id,
      after: {
        lines: row.line_count,
        imported: importedOf(countsFrom(row.results)),
        sharedCards: columns.shared_cards ?? row.shared_cards,
        unreadableCards: columns.unreadable_cards ?? row.unreadable_cards,
      },
    });
    work.afterCommit(() => {
      deps.changed(actor.tenantId, 'customers', row.merchant_id);
      if (operation === 'run') deps.scheduler.wake(IMPORT_JOB, actor.tenantId);
    });
    return toImport({ ...row, ...columns });
  });
}

/** Job that imports the lines of running imports, and removes files whose request ended before it had read them. */
export function importJob(deps: Dependencies): Job<ImportRow> {
  return {
    name: IMPORT_JOB,
    table: IMPORTS,
    clock: 'real',
    concurrency: 2,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(row) {
      if (row.status !== 'reading') return runSlice(deps, row);
      await discardLines(deps, row, { isRemoved: true });
      return 'removed';
    },
  };
}

async function runSlice(deps: Dependencies, row: ImportRow): Promise<string> {
  const { tenant_id, id, fence } = row;
  const untilMs = Date.now() + SLICE_MS;
  for (let cursor = Number(row.cursor_n); ; ) {
    const lines = await linesAfter(deps, row, cursor);
    for (const line of lines) {
      if (!(await importLine(deps, row, line))) return 'skipped';
      cursor = Number(line.n);
      if (Date.now() < untilMs) continue;
      await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        await work.update(IMPORTS, { id, fence }, released(realNow()));
        work.afterCommit(() => deps.scheduler.wake(IMPORT_JOB, tenant_id));
      });
      return 'imported';
    }
    if (lines.length === READ_BLOCK) continue;
    await finish(deps, row);
    return 'finished';
  }
}

const linesAfter = (deps: Dependencies, { tenant_id, id }: ImportRow, n: number): Promise<ImportLineRow[]> =>
  deps.database
    .read(tenant_id)
    .rows(
      queries
        .selectFrom('customer_import_lines')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', id)
        .where('n', '>', n)
        .orderBy('n')
        .limit(READ_BLOCK),
    );

/** Imports one line: its customer, its payment method, the result and the progress in one commit. Returns false if the import no longer runs here. */
async function importLine(deps: Dependencies, row: ImportRow, line: ImportLineRow): Promise<boolean> {
  const apply = (failure: LineResult | null) =>
    deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
      const current = await work.lockOne(IMPORTS, { id: row.id, fence: row.fence });
      if (current?.status !== 'running' || Number(current.cursor_n) >= Number(line.n)) return false;
      const result = failure ?? (await applyLine(deps, work, current, line));
      await work.update(IMPORT_LINES, { import_id: row.id, n: line.n }, { ...result, sealed: null });
      const results = JSON.stringify(withOneMore(countsFrom(current.results), result.action));
      const updated_at = isoTime(deps.clockOf(row.tenant_id).now());
      await work.update(IMPORTS, { id: row.id }, { cursor_n: line.n, results, updated_at });
      work.afterCommit(() => deps.changed(row.tenant_id, 'customers', row.merchant_id));
      return true;
    });
  try {
    return await apply(null);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    // A record that the rules of customers refuse must not stop the others.
    return apply(error.code === 'CUSTOMER_NOT_FOUND' ? DELETED : FAILED);
  }
}

type LineResult = Pick<ImportLineRow, 'action'> & Partial<ImportLineRow>;

const FAILED: LineResult = { action: 'rejected', reason: 'failed' satisfies LineReason };
const DELETED: LineResult = { action: 'rejected', reason: 'customer_deleted' satisfies LineReason };

async function applyLine(deps: Dependencies, work: Work, row: ImportRow, line: ImportLineRow): Promise<LineResult> {
  if (line.sealed === null) return { action: line.action };
  const { tenant_id, merchant_id, id } = row;
  const box = await deps.vault.boxOf(work, tenant_id, id);
  if (box === null) return FAILED;
  const record = JSON.parse(box.open(lineContext(Number(line.n)), line.sealed)) as ImportRecord;
  // Imports of a merchant decide one after another, so that two files with the same customer create it once.
  await work.advisoryLock(`customer-import/${tenant_id}/${merchant_id}`);
  const item = await fingerprinted(deps, tenant_id, record);
  const [found] = await knownOf(work, merchant_id, [item]);
  const known = { methods: found?.methods ?? [], customerId: found?.customerId ?? (await customerOfEarlierLine(work, row, record)) };
  const choice = { sharedCards: row.shared_cards, unreadableCards: row.unreadable_cards };
  const decision = decide(record, known, NOTHING_IN_FILE, choice);
  if (decision.action === 'shared' || decision.action === 'rejected') return decision;
  return { ...decision, ...(await store(deps, work, row, item, decision, known.customerId)) };
}

/** Writes the customer and the payment method of a record. Returns their IDs. @throws ServiceError CUSTOMER_NOT_FOUND if the customer was deleted. */
async function store(
  deps: Dependencies,
  work: Work,
  row: ImportRow,
  { record }: Fingerprinted,
  { action }: Decision,
  customerId: string | null,
): Promise<Pick<ImportLineRow, 'customer_id' | 'method_id'>> {
  const { tenant_id, merchant_id, started_by } = row;
  const actor: Actor = { ...serviceActor(tenant_id), name: started_by ?? row.created_by };
  const [first, ...others] = record.ids;
  const customer =
    customerId === null
      ? await deps.customers.createIn(work, actor, merchant_id, record.customer, first ?? null)
      : await deps.customers.lockRow(work, customerId);
  const missing = customerId === null ? others : record.ids.filter((id) => !(id.source === 'paydesk' && id.id === customerId));
  for (const external of missing) await deps.customers.addExternalId(work, customer, external);
  if (record.source === null || action === 'duplicate') return { customer_id: customer.id, method_id: null };
  const isNew = customerId === null || (await isCreatedBy(work, row, record, customerId));
  const method_id = await deps.customers.addImportedMethod(work, actor, customer, record.source, {
    externalId: record.methodId,
    networkTransactionId: record.networkTransactionId,
    consentText: record.consentText,
    consentAt: record.consentAt,
    // The default of a customer that existed before is a decision of the shop.
    isDefault: record.isDefault && isNew,
  });
  return { customer_id: customer.id, method_id };
}

/** Returns the customer of the same record that an earlier line created or found, also if it was deleted or changed since; null if there is none. */
async function customerOfEarlierLine(work: Work, { id }: ImportRow, record: ImportRecord): Promise<string | null> {
  const lines = await work.find(IMPORT_LINES, { import_id: id, customer_key: customerKeyOf(record) });
  return lines.find(({ customer_id }) => customer_id !== null)?.customer_id ?? null;
}

const isCreatedBy = async (work: Work, { id }: ImportRow, record: ImportRecord, customer_id: string): Promise<boolean> =>
  (await work.one(IMPORT_LINES, { import_id: id, customer_key: customerKeyOf(record), action: 'create', customer_id })) !== null;

async function finish(deps: Dependencies, { tenant_id, id, fence }: ImportRow): Promise<void> {
  const nowMs = deps.clockOf(tenant_id).now();
  const at = isoTime(nowMs);
  const isFinished = await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await work.lockOne(IMPORTS, { id, fence });
    if (row?.status !== 'running') return false;
    const status = step(STEPS, row.status, 'finish');
    await work.update(IMPORTS, { id }, { status, finished_at: at, updated_at: at, ...released(null) });
    await deps.vault.destroyOwner(work, id);
    const results = countsFrom(row.results);
    const { merchant_id, transfer_key_id, provider } = row;
    if (transfer_key_id !== null) await destroyKeyIn(deps, work, transfer_key_id, 'import', at);
    deps.audit(work, {
      actor: { ...serviceActor(tenant_id), name: row.started_by ?? row.created_by },
      action: 'customer_import.finished',
      resource: `customers/imports/${id}`,
      merchantId: merchant_id,
      after: { provider, lines: row.line_count, ...results },
    });
    deps.emit(work, {
      tenantId: tenant_id,
      merchantId: merchant_id,
      type: 'customer_import.finished',
      resourceId: id,
      atMs: nowMs,
      data: { importId: id, provider, lines: Number(row.line_count), ...results },
    });
    work.afterCommit(() => deps.changed(tenant_id, 'customers', merchant_id));
    return true;
  });
  if (isFinished) await discardLines(deps, { tenant_id, id }, { isRemoved: false });
}
