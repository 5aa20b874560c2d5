import { conditionsOn, listOf, lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { assert, type Currency, type Money, money } from '#core/kernel';
import { READABLE_TRANSFERS } from '#core/ledger';
import { BANK_ACCOUNT } from './aggregates/daily-aggregates.ts';
import { PART_NAMES } from './parts/parts.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS } from './schema.ts';

/** Number and sum of movements of one kind. */
interface CountedAmount {
  readonly count: number;
  readonly amount: Money;
}

/** Money that card and bank payments moved during a shift, by the ledger. */
export interface CardTotals {
  /** Sales and captures, with their tips. */
  readonly sales: CountedAmount;
  /** Changes of captured amounts, such as tips that were set later. The amount can be negative. */
  readonly adjustments: CountedAmount;
  /** Voids and canceled captures. */
  readonly voids: CountedAmount;
  readonly refunds: CountedAmount;
  /** Unlinked credits. */
  readonly credits: CountedAmount;
  /** Sales and adjustments less voids, refunds and credits. */
  readonly total: Money;
  /** Parts of the total; a credit has none. */
  readonly tip: Money;
  readonly surcharge: Money;
  readonly tax: Money;
  /** Sales and net amount by card brand, and of bank accounts. */
  readonly brands: readonly (CountedAmount & { readonly brand: string })[];
  /** Tips less their refunds, by the person who made the payment. */
  readonly people: readonly (CountedAmount & { readonly person: string })[];
}

type Requested = Pick<AttemptRow, 'id' | 'transaction_id' | 'operation'>;
type LineName = 'sales' | 'adjustments' | 'voids' | 'refunds' | 'credits';

const queries = queriesOn(ATTEMPTS, TRANSACTIONS, READABLE_TRANSFERS);
const LIST_MAX = 512;

const attempt = conditionsOn(ATTEMPTS);
/** A capture that Paydesk holds until its gateway's batch closes has moved its money already. */
const isConcluded = attempt.or([
  attempt('state', '=', lit('done')),
  attempt.and([attempt('state', '=', lit('held')), attempt('operation', '=', lit('capture'))]),
]);

/** Returns the shifts with payments that no Z report has counted. */
export async function unreportedShifts(read: Read): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('attempts')
      .select('shift_id')
      .distinct()
      .where('tenant_id', '=', TENANT)
      .where('shift_id', 'is not', null)
      .where('shift_report_id', 'is', null),
  );
  return rows.flatMap(({ shift_id }) => (shift_id === null ? [] : [shift_id]));
}

/** Returns the totals of payments in shifts that no Z report has counted yet. */
export async function unreportedTotals(read: Read, shiftIds: readonly string[], currency: Currency): Promise<CardTotals> {
  const requests: Requested[] = [];
  for (const shiftId of shiftIds)
    requests.push(
      ...(await read.rows(
        queries
          .selectFrom('attempts')
          .select(['id', 'transaction_id', 'operation'])
          .where('tenant_id', '=', TENANT)
          .where('shift_id', '=', shiftId)
          .where('shift_report_id', 'is', null)
          .where(isConcluded),
      )),
    );
  return totalsOf(read, requests, currency);
}

/**
 * Assigns the concluded payments of shifts to a Z report and returns their totals. Each payment is in one Z report: one whose outcome arrives
 * after a close stays for the next report.
 */
export async function claimForReport(work: Work, shiftIds: readonly string[], reportId: string, currency: Currency): Promise<CardTotals> {
  const requests: Requested[] = [];
  for (const shiftId of shiftIds)
    requests.push(
      ...(await work.rows(
        queries
          .updateTable('attempts')
          .set({ shift_report_id: reportId })
          .where('tenant_id', '=', TENANT)
          .where('shift_id', '=', shiftId)
          .where('shift_report_id', 'is', null)
          .where(isConcluded)
          .returning(['id', 'transaction_id', 'operation']),
      )),
    );
  return totalsOf(work, requests, currency);
}

/** Sums of one kind, in minor units. */
interface Sum {
  count: number;
  minor: number;
}

async function totalsOf(read: Read, requests: readonly Requested[], currency: Currency): Promise<CardTotals> {
  const payments = await paymentsOf(read, requests);
  const byTransfer = new Map(requests.flatMap((request) => transferIdsOf(request).map((id) => [id, request] as const)));
  const lines = new Map<LineName, Sum>();
  const parts = { tip: 0, surcharge: 0, tax: 0 };
  const brands = new Map<string, Sum>();
  const people = new Map<string, Sum>();
  const adjusted = new Set<string>();
  for (const { id, kind, amount_minor } of await transfersOf(read, [...byTransfer.keys()])) {
    const request = byTransfer.get(id);
    const payment = request && payments.get(request.transaction_id);
    assert(request && payment, 'a transfer of an attempt has a payment');
    const amount = Number(amount_minor);
    const [part] = PART_NAMES.filter((name) => kind === name || kind === `${name}_reversed` || kind === `${name}_refunded`);
    if (part !== undefined) {
      const sign = kind === part ? 1 : -1;
      parts[part] += sign * amount;
      if (part === 'tip') add(people, payment.person, kind === 'tip_refunded' ? 0 : sign, sign * amount);
      continue;
    }
    const sign = kind === 'capture' ? 1 : -1;
    const line = lineOf(request.operation, kind);
    const isNew = line !== 'adjustments' || !adjusted.has(request.id);
    adjusted.add(request.id);
    add(lines, line, isNew ? 1 : 0, line === 'adjustments' ? sign * amount : amount);
    add(brands, payment.brand, line === 'sales' ? 1 : 0, sign * amount);
  }
  const counted = (sum: Sum = { count: 0, minor: 0 }): CountedAmount => ({ count: sum.count, amount: money(sum.minor, currency) });
  return {
    sales: counted(lines.get('sales')),
    adjustments: counted(lines.get('adjustments')),
    voids: counted(lines.get('voids')),
    refunds: counted(lines.get('refunds')),
    credits: counted(lines.get('credits')),
    total: money(
      [...brands.values()].reduce((sum, { minor }) => sum + minor, 0),
      currency,
    ),
    tip: money(parts.tip, currency),
    surcharge: money(parts.surcharge, currency),
    tax: money(parts.tax, currency),
    brands: sorted(brands).map(([brand, sum]) => ({ brand, ...counted(sum) })),
    people: sorted(people).map(([person, sum]) => ({ person, ...counted(sum) })),
  };
}

function lineOf(operation: Requested['operation'], kind: string): LineName {
  if (operation === 'adjust') return 'adjustments';
  if (kind === 'capture') return 'sales';
  if (kind === 'credit') return 'credits';
  return kind === 'refund' ? 'refunds' : 'voids';
}

function add<Key>(sums: Map<Key, Sum>, key: Key, count: number, minor: number): void {
  const sum = sums.get(key) ?? { count: 0, minor: 0 };
  sums.set(key, { count: sum.count + count, minor: sum.minor + minor });
}

/** Returns sums, the highest first. */
const sorted = (sums: ReadonlyMap<string, Sum>) =>
  [...sums].toSorted(([left, { minor: first }], [right, { minor: second }]) => second - first || (left < right ? -1 : 1));

/** Returns the IDs that the transfers of an attempt can have. */
function transferIdsOf({ id, operation }: Requested): string[] {
  const moved = operation === 'adjust' ? [id, `${id}-reversed`] : [id];
  return moved.flatMap((transfer) => [transfer, ...PART_NAMES.map((name) => `${transfer}-${name}`)]);
}

async function transfersOf(read: Read, ids: readonly string[]) {
  const found = [];
  for (let start = 0; start < ids.length; start += LIST_MAX)
    found.push(
      ...(await read.rows(
        queries
          .selectFrom('ledger_transfers')
          .select(['id', 'kind', 'amount_minor'])
          .where('tenant_id', '=', TENANT)
          .where('id', 'in', listOf(ids.slice(start, start + LIST_MAX))),
      )),
    );
  return found;
}

/** Returns brand and person of the payments of attempts, by their IDs. */
async function paymentsOf(read: Read, requests: readonly Requested[]): Promise<Map<string, { brand: string; person: string }>> {
  const ids = [...new Set(requests.map(({ transaction_id }) => transaction_id))];
  const found = new Map<string, { brand: string; person: string }>();
  for (let start = 0; start < ids.length; start += LIST_MAX)
    for (const { id, card_brand, created_by } of await read.rows(
      queries
        .selectFrom('transactions')
        .select(['id', 'card_brand', 'created_by'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', listOf(ids.slice(start, start + LIST_MAX))),
    ))
      found.set(id, { brand: card_brand ?? BANK_ACCOUNT, person: created_by ?? '' });
  return found;
}
