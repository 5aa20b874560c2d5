import { type Condition, lit, queriesOn, type Read, TENANT, timeOf } from '#core/database';
import { type Actor, type Currency, isoTime, type Money, money, realNow, ServiceError, toNumber } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import { finishAttempt } from '../attempts/attempts.ts';
import { entryOf } from '../entries.ts';
import type { Needs } from '../needs.ts';
import type { Final } from '../outcome.ts';
import { readTransaction } from '../repository.ts';
import { isAutoVoid } from '../sale/auto-void.ts';
import { conclude, DOUBT_JOB, isNew } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptAlert, type AttemptOperation, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { type BankAccountOnRecord, type CardOnRecord, type Transaction, toTransaction } from '../transaction.ts';
import { wordsOf } from './doubt-words.ts';

/** No more are listed; their number is told beside. */
const LISTED_MAX = 200;
/** Doubt that lasts longer wants a person. */
const PATIENCE_MS = 3_600_000;
/** Whoever asks for an inquiry waits no longer for what it finds. */
const INQUIRY_WAIT_MS = 5_000;
/** Decimals that currencies have. */
const EXPONENTS = [0, 2, 3, 4] as const;
/** While a person's decision is written down nobody inquires. */
const DECISION_LEASE_MS = 20_000;

/** An attempt whose outcome nobody knows yet. */
export interface Doubt {
  readonly id: string;
  readonly transactionId: string;
  readonly refundId: string | null;
  readonly merchantId: string;
  readonly operation: AttemptOperation;
  readonly amount: Money;
  readonly currency: string;
  readonly card: Pick<CardOnRecord, 'brand' | 'last4'> | null;
  readonly bankAccount: Pick<BankAccountOnRecord, 'bankName' | 'last4'> | null;
  readonly customerName: string | null;
  readonly gateway: string;
  readonly gatewayId: string | null;
  /** Under what the gateway has it. */
  readonly processorRef: string;
  /** When it was sent, the tenant's time. */
  readonly since: string;
  /** Real time; null before the first inquiry. */
  readonly lastInquiryAt: string | null;
  readonly nextInquiryAt: string | null;
  readonly inquiries: number;
  /** Why the gateway itself has not decided. */
  readonly pendingReason: string | null;
  readonly alert: AttemptAlert | null;
  /** `open`: in doubt. `waiting`: a capture that its gateway could not be told in time. `ended`: over, with something left for a person to see. */
  readonly stage: 'open' | 'waiting' | 'ended';
  /** Whether a person should look at the gateway's own screens, and may then conclude it. */
  readonly needsPerson: boolean;
  /** What it is and what happens next. */
  readonly words: string;
}

export interface DoubtCounts {
  /** Those that a gateway holds for review are counted apart. */
  readonly inDoubt: number;
  readonly inReview: number;
  readonly needsPerson: number;
}

export interface DoubtFilter {
  readonly merchantId?: string;
  /** Of the card or of the account. */
  readonly last4?: string;
  /** A decimal amount, in whatever currency. */
  readonly amount?: string;
}

/** What an inquiry came to: the attempt has ended, or is still open; `isBeingAsked` while the gateway has not answered. */
export type Inquired =
  | { readonly ended: true; readonly transaction: Transaction }
  | { readonly ended: false; readonly isBeingAsked: boolean; readonly doubt: Doubt };

export interface Decision {
  readonly outcome: 'approved' | 'failed';
  /** The gateway's own name of it; what later changes of a new payment refer to. */
  readonly gatewayReference?: string;
  /** What the person saw, for the history and the audit log. */
  readonly note: string;
}

/** The board of doubt: what is open, an inquiry out of turn, and a person's decision (decisions 4, 10). */
export function createDoubts(on: Needs, scheduler: Pick<Scheduler, 'runOne'>) {
  return {
    list: (by: Actor, filter: DoubtFilter) => list(on, by, filter),
    inquire: (by: Actor, id: string) => inquire(on, scheduler, by, id),
    conclude: (by: Actor, id: string, decision: Decision) => concludeByHand(on, by, id, decision),
    acknowledge: (by: Actor, id: string, note: string) => acknowledge(on, by, id, note),
  };
}

type OpenRow = AttemptRow &
  Pick<
    TransactionRow,
    'merchant_id' | 'status' | 'card_brand' | 'last4' | 'account_type' | 'bank_name' | 'customer_name' | 'pending_reason'
  >;

const queries = queriesOn(ATTEMPTS, TRANSACTIONS);

/** Reads open attempts, and those that left something to a person, on their indexes, whatever the number of payments. */
function openAttempts() {
  const now = realNow();
  const ids = queries.selectFrom('attempts').select('id').where('tenant_id', '=', TENANT);
  return queries
    .selectFrom('attempts as a')
    .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.id', '=', 'a.transaction_id'))
    .where('a.tenant_id', '=', TENANT)
    .where('a.id', 'in', ids.where('due_ms', 'is not', null).union(ids.where('alert', 'is not', null)))
    .where(({ or, and, eb }) =>
      or([
        eb('a.state', '=', lit('doubt')),
        and([eb('a.state', '=', lit('sending')), eb('a.due_ms', '<=', now)]),
        and([eb('a.state', '=', lit('done')), eb('a.alert', 'is not', null)]),
        and([
          eb('a.state', '=', lit('held')),
          eb('a.operation', '=', lit('capture')),
          eb('t.capture_held_until', '<=', isoTime(now - OVERDUE_MS)),
        ]),
      ]),
    );
}

const COLUMNS_OF_TRANSACTION = [
  't.merchant_id',
  't.status',
  't.card_brand',
  't.last4',
  't.account_type',
  't.bank_name',
  't.customer_name',
  't.pending_reason',
] as const;

/**
 * Doubts of the merchants that the caller sees, the newest last, and how many of those merchants there are whatever else the filter asks for.
 * MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
async function list(on: Needs, by: Actor, filter: DoubtFilter): Promise<{ doubts: readonly Doubt[]; counts: DoubtCounts }> {
  const { last4, amount } = filter;
  const merchantId = filter.merchantId ?? by.merchantId;
  if (merchantId !== null) await on.merchantFor(by, merchantId);
  const nowMs = on.clockOf(by.tenantId).now();
  const all = openAttempts();
  const open = merchantId === null ? all : all.where('t.merchant_id', '=', merchantId);
  let wanted = open.selectAll('a').select(COLUMNS_OF_TRANSACTION).orderBy('a.created_at').orderBy('a.id').limit(LISTED_MAX);
  // Of a terminal, that is about to charge a card once more: what has ended cannot be doubled.
  if (last4 !== undefined) wanted = wanted.where('t.last4', '=', last4).where('a.state', 'in', [lit('doubt'), lit('sending')]);
  if (amount !== undefined) wanted = wanted.where('a.amount_minor', 'in', minorsOf(amount));
  const read = on.database.read(by.tenantId);
  const [rows, counts] = await Promise.all([read.rows(wanted), countOpen(read, open, isoTime(nowMs - PATIENCE_MS))]);
  const doubts = rows.map((row) => toDoubt(row, nowMs));
  return { doubts: amount === undefined ? doubts : doubts.filter((doubt) => toNumber(doubt.amount) === Number(amount)), counts };
}

/** A capture that waits past its time for so long wants a person. */
const OVERDUE_MS = 3_600_000;

async function countOpen(read: Read, open: ReturnType<typeof openAttempts>, patientSince: string): Promise<DoubtCounts> {
  const row = await read.row(
    open.select(({ fn, eb, or, and, not }) => {
      const isInReview = and([eb('t.pending_reason', 'is not', null), eb('a.operation', 'in', [lit('sale'), lit('auth'), lit('credit')])]);
      const needsPerson = or([
        eb('a.alert', 'is not', null),
        eb('a.state', '=', lit('held')),
        and([eb('a.created_at', '<=', patientSince), not(isInReview)]),
      ]);
      const count = (of: Condition) => fn.sum<number | null>(eb.case().when(of).then(lit(1)).else(lit(0)).end());
      return [
        count(eb('a.state', 'in', [lit('doubt'), lit('sending')])).as('n'),
        count(isInReview).as('review'),
        count(needsPerson).as('person'),
      ];
    }),
  );
  const inReview = Number(row?.review ?? 0);
  return { inDoubt: Number(row?.n ?? 0) - inReview, inReview, needsPerson: Number(row?.person ?? 0) };
}

/** A decimal amount in minor units, as each kind of currency spells it. */
function minorsOf(amount: string): number[] {
  const [whole = '', decimals = ''] = amount.split('.');
  const fraction = decimals.replace(/0+$/, '');
  return EXPONENTS.filter((exponent) => exponent >= fraction.length).map((exponent) => Number(whole + fraction.padEnd(exponent, '0')));
}

/**
 * Asks the gateway now what became of an attempt. NOT_FOUND, MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT with `details.reason` `not_in_doubt` while its
 * answer may still come.
 */
async function inquire(on: Needs, scheduler: Pick<Scheduler, 'runOne'>, by: Actor, id: string): Promise<Inquired> {
  const attempt = await attemptFor(on, by, id);
  if (attempt.state === 'done') return ended(on, attempt);
  refuseUnlessOpen(attempt);
  const nowMs = realNow();
  await on.database.unitOfWork.run(by.tenantId, (work) =>
    work.change(
      queries
        .updateTable('attempts')
        .set({ due_ms: nowMs })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('state', '=', lit('doubt'))
        .where('due_ms', '>', nowMs)
        .where('lease_ms', '<=', timeOf(on.database)),
    ),
  );
  const became = await within(INQUIRY_WAIT_MS, scheduler.runOne(DOUBT_JOB, by.tenantId, id));
  const row = await openRowOf(on.database.read(by.tenantId), id);
  if (!row) return ended(on, attempt);
  return { ended: false, isBeingAsked: became === null, doubt: toDoubt(row, on.clockOf(by.tenantId).now()) };
}

/** Its result, or null where it takes longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}

async function ended(on: Needs, attempt: AttemptRow): Promise<Extract<Inquired, { ended: true }>> {
  const row = await readTransaction(on.database.read(attempt.tenant_id), attempt.transaction_id);
  return { ended: true, transaction: toTransaction(row) };
}

/**
 * Ends an attempt as a person saw it at the gateway: everything follows as from the gateway's own answer, and the audit log names who decided.
 * NOT_FOUND, MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR where a new payment is approved without the gateway's reference; RESOURCE_CONFLICT with
 * `details.reason` where it has ended (`ended`), is being asked about (`inquiry_under_way`), needs no person yet (`not_for_a_person`), or is the void of
 * a declined payment, which cannot have failed for good (`void_is_repeated`).
 */
async function concludeByHand(on: Needs, by: Actor, id: string, decision: Decision): Promise<Transaction> {
  const attempt = await attemptFor(on, by, id);
  const row = await readTransaction(on.database.read(by.tenantId), attempt.transaction_id);
  if (attempt.state === 'done') throw conflict(attempt, 'ended', 'It has ended already.');
  refuseUnlessOpen(attempt);
  const { pending_reason, status } = row;
  if (!needsPerson({ ...attempt, pending_reason }, on.clockOf(by.tenantId).now()))
    throw conflict(attempt, 'not_for_a_person', 'The gateway is still being asked; nobody needs to decide yet.');
  const repeated = isAutoVoid(attempt, row);
  if (repeated && decision.outcome === 'failed')
    throw conflict(
      attempt,
      'void_is_repeated',
      'The payment was declined and must be voided: the void is repeated until the gateway has it.',
    );
  const outcome = outcomeOf(attempt, row, decision);
  await leaseFor(on, attempt);
  const byHand: Needs = { ...on, audit: auditedTwice(on, by, attempt, { ...decision, before: status }) };
  if (repeated) await endAutoVoid(byHand, attempt, row, decision.note);
  else await endAs(byHand, attempt, outcome);
  const final = await on.database.read(by.tenantId).one(ATTEMPTS, { id });
  if (final?.result !== decision.outcome) throw conflict(attempt, 'ended', 'The gateway answered first.');
  // What is approved gives no reason of its own; the note is one.
  await on.database.unitOfWork.run(by.tenantId, (work) => work.update(ATTEMPTS, { id, reason: null }, { reason: decision.note }));
  if (attempt.operation === 'sale')
    await on.events.publishCommitted('payment.confirmed', { tenantId: by.tenantId, transactionId: attempt.transaction_id });
  return toTransaction(await readTransaction(on.database.read(by.tenantId), attempt.transaction_id));
}

function outcomeOf(attempt: AttemptRow, row: TransactionRow, { outcome, gatewayReference, note }: Decision): Final {
  if (outcome === 'failed') return { kind: 'not-sent', reason: note, retry: 'error' };
  if (gatewayReference === undefined && isNew(attempt)) {
    throw new ServiceError('VALIDATION_ERROR', "An approved payment needs the gateway's own reference: captures and refunds name it.", {
      field: 'gatewayReference',
    });
  }
  return { kind: 'approved', reference: gatewayReference ?? row.gateway_reference ?? '' };
}

/** Takes the attempt, so that no inquiry comes to another end meanwhile. */
async function leaseFor(on: Needs, attempt: AttemptRow): Promise<void> {
  const now = timeOf(on.database);
  const taken = await on.database.unitOfWork.run(attempt.tenant_id, (work) =>
    work.change(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ lease_ms: eb(now, '+', lit(DECISION_LEASE_MS)), fence: eb('fence', '+', lit(1)) }))
        .where('tenant_id', '=', TENANT)
        .where('id', '=', attempt.id)
        .where('state', 'in', [lit('doubt'), lit('sending')])
        .where('lease_ms', '<=', now),
    ),
  );
  if (taken === 1) return;
  const present = await on.database.read(attempt.tenant_id).one(ATTEMPTS, { id: attempt.id });
  throw present?.state === 'done'
    ? conflict(attempt, 'ended', 'It has ended already.')
    : conflict(attempt, 'inquiry_under_way', 'The gateway is being asked at this moment; look again in some seconds.');
}

/**
 * Takes off the board what has ended and left something for a person, with what they did about it. NOT_FOUND, MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT with
 * `details.reason` `not_ended` while it is open.
 */
async function acknowledge(on: Needs, by: Actor, id: string, note: string): Promise<void> {
  const attempt = await attemptFor(on, by, id);
  if (attempt.state !== 'done') throw conflict(attempt, 'not_ended', 'It is still open: it is concluded, not acknowledged.');
  const row = await readTransaction(on.database.read(by.tenantId), attempt.transaction_id);
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    const known = await work.lockOne(ATTEMPTS, { id });
    if (!known?.alert) return;
    await work.update(ATTEMPTS, { id }, { alert: null });
    on.audit(work, {
      by,
      action: 'transaction.alert_acknowledged',
      resource: `transactions/${row.id}`,
      merchantId: row.merchant_id,
      before: { alert: known.alert, operation: known.operation, processorRef: known.processor_ref },
      after: { note },
    });
    work.afterCommit(() => on.changed(by.tenantId, 'transactions'));
  });
}

/** Ends it where every attempt ends; what ends as failed throws the error of a request that nobody waits for. */
async function endAs(on: Needs, attempt: AttemptRow, outcome: Final): Promise<void> {
  try {
    await conclude(on, attempt, outcome);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'GATEWAY_ERROR') throw error;
  }
}

/** The void that follows a decline changes nothing of the payment. */
async function endAutoVoid(on: Needs, attempt: AttemptRow, row: TransactionRow, note: string): Promise<void> {
  const at = isoTime(on.clockOf(attempt.tenant_id).now());
  await on.database.unitOfWork.run(attempt.tenant_id, async (work) => {
    if (!(await finishAttempt(work, attempt, 'approved', note, at))) return;
    on.audit(work, entryOf(attempt, row, 'approved'));
    work.afterCommit(() => on.changed(attempt.tenant_id, 'transactions'));
  });
}

/** Writes beside the entry of the attempt, in the same unit of work, that a person decided, and why. */
function auditedTwice(
  on: Needs,
  by: Actor,
  attempt: AttemptRow,
  { outcome, gatewayReference, note, before }: Decision & { before: string },
): Needs['audit'] {
  const resource = attempt.refund_id === null ? `transactions/${attempt.transaction_id}` : `refunds/${attempt.refund_id}`;
  return (into, entry) => {
    on.audit(into, entry);
    on.audit(into, {
      by,
      action: 'transaction.concluded_by_hand',
      resource,
      merchantId: entry.merchantId ?? null,
      before: { status: before },
      after: {
        result: outcome,
        operation: attempt.operation,
        processorRef: attempt.processor_ref,
        gatewayReference: gatewayReference ?? null,
        note,
      },
    });
  };
}

/** The attempt, within the caller's merchants. */
async function attemptFor(on: Needs, by: Actor, id: string): Promise<AttemptRow> {
  const read = on.database.read(by.tenantId);
  const attempt = await read.one(ATTEMPTS, { id });
  if (!attempt) throw new ServiceError('NOT_FOUND', `There is no doubt ${id.slice(0, 60)}.`, { details: { id } });
  await on.merchantFor(by, (await readTransaction(read, attempt.transaction_id)).merchant_id);
  return attempt;
}

function refuseUnlessOpen(attempt: AttemptRow): void {
  const isLost = attempt.state === 'sending' && attempt.due_ms !== null && attempt.due_ms <= Date.now();
  if (attempt.state === 'doubt' || isLost) return;
  throw conflict(attempt, 'not_in_doubt', 'It is not in doubt: its answer may still come.');
}

function conflict({ id, transaction_id: transactionId }: AttemptRow, reason: string, message: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', message, { details: { id, transactionId, reason } });
}

async function openRowOf(read: Read, id: string): Promise<OpenRow | undefined> {
  return (await read.row(openAttempts().selectAll('a').select(COLUMNS_OF_TRANSACTION).where('a.id', '=', id))) ?? undefined;
}

function isInReview(row: Pick<OpenRow, 'operation' | 'pending_reason'>): boolean {
  return row.pending_reason !== null && isNew(row);
}

function needsPerson(row: Pick<OpenRow, 'alert' | 'state' | 'created_at' | 'operation' | 'pending_reason'>, nowMs: number): boolean {
  return row.alert !== null || row.state === 'held' || (nowMs - Date.parse(row.created_at) >= PATIENCE_MS && !isInReview(row));
}

function stageOf({ state }: AttemptRow): Doubt['stage'] {
  if (state === 'done') return 'ended';
  return state === 'held' ? 'waiting' : 'open';
}

function toDoubt(row: OpenRow, nowMs: number): Doubt {
  const wantsPerson = needsPerson(row, nowMs);
  return {
    id: row.id,
    transactionId: row.transaction_id,
    refundId: row.refund_id,
    merchantId: row.merchant_id,
    operation: row.operation,
    amount: money(Number(row.amount_minor), row.currency as Currency),
    currency: row.currency,
    card: row.card_brand === null ? null : { brand: row.card_brand, last4: row.last4 },
    bankAccount: row.account_type === null ? null : { bankName: row.bank_name, last4: row.last4 },
    customerName: row.customer_name,
    gateway: row.gateway,
    gatewayId: row.gateway_id,
    processorRef: row.processor_ref,
    since: row.created_at,
    lastInquiryAt: row.asked_at,
    nextInquiryAt: row.due_ms === null ? null : isoTime(Number(row.due_ms)),
    inquiries: Number(row.inquiries),
    pendingReason: row.pending_reason,
    alert: row.alert,
    stage: stageOf(row),
    needsPerson: wantsPerson,
    words: wordsOf({ ...row, isInReview: isInReview(row), wantsPerson }),
  };
}
