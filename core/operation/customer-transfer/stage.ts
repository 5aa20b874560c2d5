import { LostRace, listOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, isoTime, newId, realNow, ServiceError } from '#core/kernel';
import { beginImport, completeImport, type ImportKind, keepReading, leaseEnd, orAbandon } from '#core/platform/imports';
import { dueAt } from '#core/platform/scheduling';
import { SANDBOX_CARDS } from '#core/processing/gateways';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { toE164 } from '#core/records/notifications';
import type { Box } from '#core/records/vault';
import { READABLE_CUSTOMERS } from '#core/sales/customers';
import { redactLongNumbers } from '#shared/card-numbers';
import type { Dependencies } from './dependencies.ts';
import { discardLines } from './discard.ts';
import { customerKeyOf, type Fingerprinted, knownOf } from './facts.ts';
import { type CustomerMapping, FileFault, type FileRecord, type ImportRecord, type RecordRules, readCustomers } from './files/index.ts';
import { decide, NO_CHOICE, NO_COUNTS, NOTHING_IN_FILE, withOneMore } from './plan.ts';
import { toImport } from './read.ts';
import type { Counts, CustomerImport } from './records.ts';
import { IMPORT_JOB, IMPORT_LINES, IMPORTS, type ImportLineRow, type ImportRow, lineContext } from './schema.ts';

/** A slow upload may need two minutes for a block. The job that runs imports removes those whose request ended. */
const CUSTOMER_FILES: ImportKind<ImportRow> = { name: IMPORT_JOB, table: IMPORTS, leaseMs: 120_000 };
const KEEP_READING = keepReading(IMPORTS, 'provider', 'line_count');
/** Lines that are looked up and written together. */
const BLOCK = 100;
const LINES_MAX = 1_000_000;
/** Length of the fingerprints of payment methods. */
const FINGERPRINT_LENGTH = 32;

export interface ImportInput {
  readonly merchantId?: string | undefined;
  readonly filename: string | null;
  /** Key with which the content was encrypted; null for a plain file. */
  readonly transferKeyId: string | null;
  /** Columns of a list of customers; by default they are recognized by their names. */
  readonly mapping?: CustomerMapping | undefined;
  /** Content of the file, decrypted, in pieces. It is never written to disk. */
  readonly content: AsyncIterable<Uint8Array>;
}

const queries = queriesOn(IMPORT_LINES, READABLE_CUSTOMERS);

/**
 * Reads a file and stores a dry run of it: for each line, what an import would do. Numbers are sealed with a key of the import. A file that breaks off,
 * or that is unreadable as a whole, leaves nothing. @throws ServiceError VALIDATION_ERROR with `details.line`.
 */
export async function stageImport(deps: Dependencies, actor: Actor, input: ImportInput): Promise<CustomerImport> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const row = await begin(deps, actor, merchant, input);
  return orAbandon(
    async () => {
      await readLines(deps, merchant, row, input);
      return end(deps, actor, row);
    },
    () => discardLines(deps, row, { isRemoved: true }),
  ).catch((error: unknown) => {
    if (!(error instanceof FileFault)) throw error;
    throw new ServiceError('VALIDATION_ERROR', `Line ${error.line} of the file cannot be imported: ${error.message}.`, {
      field: 'file',
      details: { line: error.line, ...(error.columns && { columns: error.columns }) },
    });
  });
}

async function begin(deps: Dependencies, actor: Actor, merchant: Merchant, input: ImportInput): Promise<ImportRow> {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  const row: ImportRow = {
    tenant_id: actor.tenantId,
    id: newId('cim', now),
    merchant_id: merchant.merchantId,
    provider: null,
    filename: input.filename === null ? null : redactLongNumbers(input.filename),
    transfer_key_id: input.transferKeyId,
    status: 'reading',
    shared_cards: 'skip',
    unreadable_cards: 'skip',
    ignored_columns: null,
    line_count: 0,
    cursor_n: 0,
    planned: '{}',
    results: '{}',
    created_by: actor.name,
    started_by: null,
    created_at: at,
    updated_at: at,
    finished_at: null,
    ...dueAt(realNow()),
  };
  const owner = await deps.vault.newOwner(actor.tenantId, row.id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    deps.vault.insertOwner(work, owner);
    return beginImport(deps, CUSTOMER_FILES, work, row);
  });
}

/** Rules for the records of an account: a sandbox takes only test cards, so that no real card gets into an account for tests. */
function rulesOf({ vault, environmentOf }: Dependencies, tenantId: string, merchant: Merchant): RecordRules {
  const isSandbox = environmentOf(tenantId) === 'sandbox';
  return {
    checkCard: (card) => vault.checkCard(tenantId, card),
    checkBankAccount: (account) => vault.checkBankAccount(account),
    phoneOf: (text) => toE164(text, merchant.country),
    country: merchant.country,
    allowsCard: (number) => !isSandbox || TEST_RANGES.has(number.slice(0, 6)),
  };
}

/** First six digits of the test cards of the sandbox. No bank issues cards with them. */
const TEST_RANGES = new Set(Object.keys(SANDBOX_CARDS).map((number) => number.slice(0, 6)));

type StagedRecord = Omit<FileRecord, 'provider' | 'ignoredColumns'>;

async function readLines(deps: Dependencies, merchant: Merchant, row: ImportRow, input: ImportInput): Promise<void> {
  const box = await deps.vault.boxOf(deps.database.read(row.tenant_id), row.tenant_id, row.id);
  if (box === null) throw new LostRace(IMPORTS.name);
  let counts = NO_COUNTS;
  let block: StagedRecord[] = [];
  const write = async () => {
    if (block.length > 0) counts = await writeBlock(deps, row, box, block, counts);
    block = [];
  };
  for await (const record of readCustomers(input.content, rulesOf(deps, row.tenant_id, merchant), input.mapping)) {
    row.provider = record.provider;
    row.ignored_columns = JSON.stringify(record.ignoredColumns);
    block.push(record);
    if (block.length >= BLOCK) await write();
    if (row.line_count + block.length > LINES_MAX) throw new FileFault(record.line, `the file has more than ${LINES_MAX} customers`);
  }
  await write();
  row.planned = JSON.stringify(counts);
}

async function writeBlock(deps: Dependencies, row: ImportRow, box: Box, block: readonly StagedRecord[], before: Counts): Promise<Counts> {
  const { tenant_id, id, fence, merchant_id, provider } = row;
  const read = deps.database.read(tenant_id);
  const items = await Promise.all(block.flatMap(({ record }) => (record === null ? [] : [fingerprinted(deps, tenant_id, record)])));
  const known = await knownOf(read, merchant_id, items);
  const inFile = await stagedLines(read, id, items);
  const next = items.map((item, index) => ({ item, known: known[index] }))[Symbol.iterator]();
  let counts = before;
  let n = row.line_count;
  const rows: ImportLineRow[] = [];
  for (const { line, record, reason, person } of block) {
    n += 1;
    const blank = { tenant_id, import_id: id, n, line, reason, customer_id: null, method_id: null };
    if (record === null) {
      const named = { name: person?.name ?? null, external_id: person?.externalId ?? null };
      rows.push({ ...blank, ...named, customer_key: '', fingerprint: null, action: 'rejected', reference: null, ...NOT_SEALED });
      counts = withOneMore(counts, 'rejected');
      continue;
    }
    const { item, known: met } = next.next().value as { item: Fingerprinted; known: Awaited<ReturnType<typeof knownOf>>[number] };
    const key = customerKeyOf(record);
    const decision = decide(record, met, inFile.of(key, item.fingerprint), NO_CHOICE);
    inFile.add(key, item.fingerprint, line, decision.action);
    counts = withOneMore(counts, decision.action);
    rows.push({
      ...blank,
      ...decision,
      ...detailsOf(record),
      customer_key: key,
      fingerprint: item.fingerprint,
      sealed: box.seal(lineContext(n), JSON.stringify(record)),
    });
  }
  const lease_ms = await leaseEnd(deps.database, CUSTOMER_FILES);
  await deps.database.unitOfWork.writeBatch(tenant_id, (batch) => {
    batch.guardedUpdate(KEEP_READING, { tenant_id, id, fence, lease_ms, provider, line_count: n });
    for (const each of rows) batch.insert(IMPORT_LINES, each);
  });
  row.line_count = n;
  return counts;
}

const NOT_SEALED = { brand: null, last4: null, sealed: null };

/** Returns what a report shows of a record. */
function detailsOf({ ids, customer, source }: ImportRecord) {
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.company || customer.email || null;
  const number = source === null ? null : source.kind === 'card' ? source.number : source.accountNumber;
  return {
    name,
    external_id: ids[0]?.id ?? null,
    brand: source?.kind === 'card' ? source.brand : null,
    last4: number?.slice(-4) ?? null,
  };
}

export async function fingerprinted({ vault }: Dependencies, tenantId: string, record: ImportRecord): Promise<Fingerprinted> {
  const { source } = record;
  return { record, fingerprint: source === null ? null : (await vault.fingerprintOf(tenantId, source)).slice(0, FINGERPRINT_LENGTH) };
}

/** Finds earlier lines of a file by their customer and by their number: stored ones, and those of the present block. */
async function stagedLines(read: Read, importId: string, items: readonly Fingerprinted[]) {
  const customers = new Map<string, number>();
  const cards = new Map<string, { key: string; line: number }[]>();
  const add = (key: string, fingerprint: string | null, line: number, action: string) => {
    if (action === 'rejected' || action === 'shared') return;
    if (!customers.has(key)) customers.set(key, line);
    if (fingerprint === null) return;
    const same = cards.get(fingerprint) ?? [];
    if (!same.some((each) => each.key === key)) cards.set(fingerprint, [...same, { key, line }]);
  };
  const lines = queries
    .selectFrom('customer_import_lines')
    .select(['customer_key', 'fingerprint', 'line', 'action'])
    .where('tenant_id', '=', TENANT)
    .where('import_id', '=', importId)
    .orderBy('n');
  const keys = [...new Set(items.map(({ record }) => customerKeyOf(record)))];
  const fingerprints = [...new Set(items.flatMap(({ fingerprint }) => fingerprint ?? []))];
  const found = [
    ...(keys.length === 0 ? [] : await read.rows(lines.where('customer_key', 'in', listOf(keys)))),
    ...(fingerprints.length === 0 ? [] : await read.rows(lines.where('fingerprint', 'in', listOf(fingerprints)))),
  ];
  for (const each of found) add(each.customer_key, each.fingerprint, each.line, each.action);
  return {
    add,
    of(key: string, fingerprint: string | null) {
      const same = fingerprint === null ? [] : (cards.get(fingerprint) ?? []);
      const cardLine = same.find((each) => each.key === key) ?? same[0];
      return {
        ...NOTHING_IN_FILE,
        customerLine: customers.get(key) ?? null,
        cardLine: cardLine === undefined ? null : { line: cardLine.line, isSameCustomer: cardLine.key === key },
      };
    },
  };
}

async function end(deps: Dependencies, actor: Actor, row: ImportRow): Promise<CustomerImport> {
  const next: ImportRow = { ...row, status: 'ready', updated_at: isoTime(deps.clockOf(actor.tenantId).now()) };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const { planned, ignored_columns, updated_at } = next;
    await completeImport(work, CUSTOMER_FILES, row, { planned, ignored_columns, updated_at });
    deps.audit(work, {
      actor,
      action: 'customer_import.read',
      resource: `customers/imports/${row.id}`,
      merchantId: row.merchant_id,
      after: { provider: row.provider, lines: row.line_count, encrypted: row.transfer_key_id !== null, ...JSON.parse(planned) },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
  });
  return toImport(next);
}
