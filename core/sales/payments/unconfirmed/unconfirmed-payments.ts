import { type Condition, lit, queriesOn, type Read, sql, TENANT, timeOf } from '#core/database';
import {
  type Actor,
  actionsOf,
  bind,
  type Currency,
  isoTime,
  money,
  realNow,
  ServiceError,
  toNumber,
  type WithActions,
} from '#core/kernel';
import { CLAIM_FENCE, holderOf } from '#core/platform/scheduling';
import { finishAttempt } from '../attempts/attempts.ts';
import { auditEntryOf } from '../audit-and-ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TerminalOutcome } from '../outcome.ts';
import { isAutoVoid } from '../outcomes/auto-void.ts';
import { conclude, isNewPayment, RESOLVE_JOB } from '../outcomes/conclude.ts';
import type { InquiryResult, Transaction, UnconfirmedCounts, UnconfirmedPayment } from '../records.ts';
import { readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toTransaction } from '../transaction.ts';
import { describeAttempt } from './texts.ts';

/** Largest number of listed payments; the total is returned beside them. */
const LISTED_MAX = 200;
/** An attempt that is unconfirmed for longer requires a person. */
const NEEDS_PERSON_AFTER_MS = 3_600_000;
/** Time limit for the response of a requested inquiry. */
const INQUIRY_WAIT_MS = 5_000;
/** Decimals that currencies have. */
const EXPONENTS = [0, 2, 3, 4] as const;
/** Lease of a decision by a person, during which there are no inquiries. */
const DECISION_LEASE_MS = 20_000;

export interface UnconfirmedFilter {
  readonly merchantId?: string;
  /** Last four digits of the card or account. */
  readonly last4?: string;
  /** Decimal amount, in any currency. */
  readonly amount?: string;
}

export const OUTCOMES = ['approved', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];
export type UnconfirmedAction = 'inquire' | 'conclude' | 'acknowledge';

export interface Decision {
  readonly outcome: Outcome;
  /** Reference at the gateway, to which later changes of a new payment refer. */
  readonly gatewayReference?: string;
  /** Observation of the person, for the history and the audit log. */
  readonly note: string;
}

/** Unconfirmed payments: the list, immediate inquiries, and decisions by a person. */
export const createUnconfirmedPayments = (deps: Dependencies) => bind(deps, { list, conclude: concludeManually, acknowledge, inquire });

type OpenRow = AttemptRow &
  Pick<
    TransactionRow,
    'merchant_id' | 'status' | 'card_brand' | 'last4' | 'account_type' | 'bank_name' | 'customer_name' | 'pending_reason'
  >;

const queries = queriesOn(ATTEMPTS, TRANSACTIONS);

/**
 * Reads open attempts, and those that require a person, from their indexes, independent of the number of payments. For a union without repetitions SQLite would
 * read all attempts of the tenant in the order of their IDs.
 */
function openAttempts() {
  const now = realNow();
  const ids = queries.selectFrom('attempts').select('id').where('tenant_id', '=', TENANT);
  return queries
    .selectFrom('attempts as a')
    .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.id', '=', 'a.transaction_id'))
    .where('a.tenant_id', '=', TENANT)
    .where('a.id', 'in', ids.where('due_ms', 'is not', null).unionAll(ids.where('alert', 'is not', null)))
    .where(({ or, and, eb }) =>
      or([
        eb('a.state', '=', lit('unconfirmed')),
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

const TRANSACTION_COLUMNS = [
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
 * Returns unconfirmed payments of the caller's merchants with what can be done with them now, newest last, and their number for these merchants without the other filters.
 * @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
async function list(
  deps: Dependencies,
  actor: Actor,
  filter: UnconfirmedFilter,
): Promise<{ payments: readonly (UnconfirmedPayment & WithActions<UnconfirmedAction>)[]; counts: UnconfirmedCounts }> {
  const { last4, amount } = filter;
  const merchantId = filter.merchantId ?? actor.merchantId;
  if (merchantId !== null) await deps.merchantFor(actor, merchantId);
  const nowMs = deps.clockOf(actor.tenantId).now();
  const all = openAttempts();
  const open = merchantId === null ? all : all.where('t.merchant_id', '=', merchantId);
  let wanted = open.selectAll('a').select(TRANSACTION_COLUMNS).orderBy('a.created_at').orderBy('a.id').limit(LISTED_MAX);
  // A terminal asks before it charges a card again. Concluded attempts cannot lead to a double charge.
  if (last4 !== undefined) wanted = wanted.where('t.last4', '=', last4).where('a.state', 'in', [lit('unconfirmed'), lit('sending')]);
  if (amount !== undefined) wanted = wanted.where('a.amount_minor', 'in', minorAmounts(amount));
  const read = deps.database.read(actor.tenantId);
  const [rows, counts] = await Promise.all([read.rows(wanted), countOpen(read, open, isoTime(nowMs - NEEDS_PERSON_AFTER_MS))]);
  const payments = await Promise.all(
    rows.map(async (row) => ({
      ...toUnconfirmed(row, nowMs),
      actions: await actionsOf({
        inquire: () => {
          if (row.state !== 'done') refuseUnlessOpen(row);
          return {};
        },
        conclude: () => ({ choices: checkConclusion(row, row, nowMs) }),
        acknowledge: () => {
          refuseUnlessEnded(row);
          return {};
        },
      }),
    })),
  );
  return { payments: amount === undefined ? payments : payments.filter((payment) => toNumber(payment.amount) === Number(amount)), counts };
}

/** A held capture that is overdue by more than this requires a person. */
const OVERDUE_MS = 3_600_000;

async function countOpen(read: Read, open: ReturnType<typeof openAttempts>, needsPersonBefore: string): Promise<UnconfirmedCounts> {
  const row = await read.row(
    open.select(({ fn, eb, or, and, not }) => {
      const isInReview = and([eb('t.pending_reason', 'is not', null), eb('a.operation', 'in', [lit('sale'), lit('auth'), lit('credit')])]);
      const needsPerson = or([
        eb('a.alert', 'is not', null),
        eb('a.state', '=', lit('held')),
        and([eb('a.created_at', '<=', needsPersonBefore), not(isInReview)]),
      ]);
      const count = (condition: Condition) => fn.sum<number | null>(eb.case().when(condition).then(lit(1)).else(lit(0)).end());
      return [
        count(eb('a.state', 'in', [lit('unconfirmed'), lit('sending')])).as('n'),
        count(isInReview).as('review'),
        count(needsPerson).as('person'),
      ];
    }),
  );
  const inReview = Number(row?.review ?? 0);
  return { unconfirmed: Number(row?.n ?? 0) - inReview, inReview, needsPerson: Number(row?.person ?? 0) };
}

/** Returns a decimal amount in minor units, for every number of decimals that currencies have. */
function minorAmounts(amount: string): number[] {
  const [whole = '', decimals = ''] = amount.split('.');
  const fraction = decimals.replace(/0+$/, '');
  return EXPONENTS.filter((exponent) => exponent >= fraction.length).map((exponent) => Number(whole + fraction.padEnd(exponent, '0')));
}

/**
 * Inquires at the gateway about an attempt immediately. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT with
 * `details.reason` `not_unconfirmed` while its answer may still arrive.
 */
async function inquire(deps: Dependencies, actor: Actor, id: string): Promise<InquiryResult> {
  const attempt = await attemptFor(deps, actor, id);
  if (attempt.state === 'done') return ended(deps, attempt);
  refuseUnlessOpen(attempt);
  const nowMs = realNow();
  await deps.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.execute(
      queries
        .updateTable('attempts')
        .set({ due_ms: nowMs })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('state', '=', lit('unconfirmed'))
        .where('due_ms', '>', nowMs)
        .where('lease_ms', '<=', timeOf(deps.database)),
    ),
  );
  const result = await within(INQUIRY_WAIT_MS, deps.runOne(RESOLVE_JOB, actor.tenantId, id));
  const row = await openRowOf(deps.database.read(actor.tenantId), id);
  if (!row) return ended(deps, attempt);
  return { ended: false, isInquiring: result === null, unconfirmedPayment: toUnconfirmed(row, deps.clockOf(actor.tenantId).now()) };
}

/** Returns the result of the promise; null after a time limit. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeLimit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, timeLimit]);
  } finally {
    clearTimeout(timer);
  }
}

async function ended(deps: Dependencies, attempt: AttemptRow): Promise<Extract<InquiryResult, { ended: true }>> {
  const row = await readTransaction(deps.database.read(attempt.tenant_id), attempt.transaction_id);
  return { ended: true, transaction: toTransaction(row) };
}

/**
 * Concludes an attempt by what a person saw at the gateway, with the effects of the gateway's own answer; the audit log names the person.
 * @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR for an approval of a new payment without the gateway's
 * reference; RESOURCE_CONFLICT with `details.reason`: concluded already (`ended`), an inquiry is running (`inquiry_under_way`), no person
 * is needed yet (`not_for_a_person`), or it is the void of a declined payment, which cannot fail for good (`void_is_repeated`).
 */
async function concludeManually(deps: Dependencies, actor: Actor, id: string, decision: Decision): Promise<Transaction> {
  const attempt = await attemptFor(deps, actor, id);
  const row = await readTransaction(deps.database.read(actor.tenantId), attempt.transaction_id);
  const outcomes = checkConclusion(attempt, row, deps.clockOf(actor.tenantId).now());
  if (!outcomes.includes(decision.outcome))
    throw conflict(
      attempt,
      'void_is_repeated',
      'The payment was declined and must be voided. The void is repeated until the gateway accepts it.',
    );
  const outcome = outcomeOf(attempt, row, decision);
  await claimForDecision(deps, attempt);
  const manualDeps: Dependencies = { ...deps, audit: auditWithDecision(deps, actor, attempt, { ...decision, before: row.status }) };
  if (isAutoVoid(attempt, row)) await concludeAutoVoid(manualDeps, attempt, row, decision.note);
  else await concludeAs(manualDeps, attempt, outcome);
  const final = await deps.database.read(actor.tenantId).one(ATTEMPTS, { id });
  if (final?.result !== decision.outcome) throw conflict(attempt, 'ended', 'The gateway responded before the decision was recorded.');
  // An approval has no reason of its own, so the note becomes the reason.
  await deps.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.update(ATTEMPTS, { id, reason: null }, { reason: decision.note }),
  );
  if (attempt.operation === 'sale')
    await deps.events.publishCommitted('payment.confirmed', { tenantId: actor.tenantId, transactionId: attempt.transaction_id });
  return toTransaction(await readTransaction(deps.database.read(actor.tenantId), attempt.transaction_id));
}

/** Returns the outcomes that a person may record for an attempt now; the void of a declined payment cannot fail. @throws ServiceError RESOURCE_CONFLICT. */
function checkConclusion(attempt: AttemptRow, row: Pick<TransactionRow, 'pending_reason' | 'status'>, nowMs: number): readonly Outcome[] {
  if (attempt.state === 'done') throw conflict(attempt, 'ended', 'This operation is already concluded.');
  refuseUnlessOpen(attempt);
  if (!needsPerson({ ...attempt, pending_reason: row.pending_reason }, nowMs))
    throw conflict(attempt, 'not_for_a_person', 'An inquiry at the gateway is still running. No decision is needed yet.');
  return isAutoVoid(attempt, row) ? ['approved'] : OUTCOMES;
}

function outcomeOf(attempt: AttemptRow, row: TransactionRow, { outcome, gatewayReference, note }: Decision): TerminalOutcome {
  if (outcome === 'failed') return { kind: 'not-sent', reason: note, retry: 'error' };
  if (gatewayReference === undefined && isNewPayment(attempt)) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      "An approved payment requires the gateway's own reference, which captures and refunds use.",
      {
        field: 'gatewayReference',
      },
    );
  }
  return { kind: 'approved', reference: gatewayReference ?? row.gateway_reference ?? '' };
}

/** Claims the attempt, so that no inquiry concludes it at the same time. */
async function claimForDecision(deps: Dependencies, attempt: AttemptRow): Promise<void> {
  const now = timeOf(deps.database);
  const claimedRows = await deps.database.unitOfWork.transaction(attempt.tenant_id, (work) =>
    work.execute(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ lease_ms: eb(now, '+', lit(DECISION_LEASE_MS)), fence: sql<number>`${sql.raw(CLAIM_FENCE)}` }))
        .where('tenant_id', '=', TENANT)
        .where('id', '=', attempt.id)
        .where('state', 'in', [lit('unconfirmed'), lit('sending')])
        .where('lease_ms', '<=', now),
      { holder: holderOf(deps.database) },
    ),
  );
  if (claimedRows === 1) return;
  const current = await deps.database.read(attempt.tenant_id).one(ATTEMPTS, { id: attempt.id });
  throw current?.state === 'done'
    ? conflict(attempt, 'ended', 'This operation is already concluded.')
    : conflict(attempt, 'inquiry_under_way', 'An inquiry at the gateway is running. Try again in a few seconds.');
}

/**
 * Removes a concluded attempt from the list after a person dealt with it, with a note. @throws ServiceError NOT_FOUND,
 * MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT with `details.reason` `not_ended` while it is open.
 */
async function acknowledge(deps: Dependencies, actor: Actor, id: string, note: string): Promise<void> {
  const attempt = await attemptFor(deps, actor, id);
  refuseUnlessEnded(attempt);
  const row = await readTransaction(deps.database.read(actor.tenantId), attempt.transaction_id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const known = await work.lockOne(ATTEMPTS, { id });
    if (!known?.alert) return;
    await work.update(ATTEMPTS, { id }, { alert: null });
    deps.audit(work, {
      actor,
      action: 'transaction.alert_acknowledged',
      resource: `transactions/${row.id}`,
      merchantId: row.merchant_id,
      before: { alert: known.alert, operation: known.operation, processorRef: known.processor_ref },
      after: { note },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'transactions', row.merchant_id));
  });
}

/** Concludes an attempt like its request would. The error of a failed attempt is ignored, because no caller waits for it. */
async function concludeAs(deps: Dependencies, attempt: AttemptRow, outcome: TerminalOutcome): Promise<void> {
  try {
    await conclude(deps, attempt, outcome);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'GATEWAY_ERROR') throw error;
  }
}

/** Concludes the void that follows a decline. The payment itself does not change. */
async function concludeAutoVoid(deps: Dependencies, attempt: AttemptRow, row: TransactionRow, note: string): Promise<void> {
  const at = isoTime(deps.clockOf(attempt.tenant_id).now());
  await deps.database.unitOfWork.transaction(attempt.tenant_id, async (work) => {
    if (!(await finishAttempt(work, attempt, 'approved', note, at))) return;
    deps.audit(work, auditEntryOf(attempt, row, 'approved'));
    work.afterCommit(() => deps.changed(attempt.tenant_id, 'transactions', row.merchant_id));
  });
}

/** Returns an audit function that writes the entry of the attempt and a second one with the person's decision, in the same unit of work. */
function auditWithDecision(
  deps: Dependencies,
  actor: Actor,
  attempt: AttemptRow,
  { outcome, gatewayReference, note, before }: Decision & { before: string },
): Dependencies['audit'] {
  const resource = attempt.refund_id === null ? `transactions/${attempt.transaction_id}` : `refunds/${attempt.refund_id}`;
  return (into, entry) => {
    deps.audit(into, entry);
    deps.audit(into, {
      actor,
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

/** Returns an attempt of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
async function attemptFor(deps: Dependencies, actor: Actor, id: string): Promise<AttemptRow> {
  const read = deps.database.read(actor.tenantId);
  const attempt = await read.one(ATTEMPTS, { id });
  if (!attempt) throw new ServiceError('NOT_FOUND', `There is no unconfirmed operation ${id.slice(0, 60)}.`, { details: { id } });
  await deps.merchantFor(actor, (await readTransaction(read, attempt.transaction_id)).merchant_id);
  return attempt;
}

function refuseUnlessOpen(attempt: AttemptRow): void {
  const isAbandoned = attempt.state === 'sending' && attempt.due_ms !== null && attempt.due_ms <= Date.now();
  if (attempt.state === 'unconfirmed' || isAbandoned) return;
  throw conflict(attempt, 'not_unconfirmed', 'This operation is not unconfirmed yet, because its response may still arrive.');
}

function refuseUnlessEnded(attempt: AttemptRow): void {
  if (attempt.state === 'done') return;
  throw conflict(attempt, 'not_ended', 'This operation is still open. Conclude it instead of acknowledging it.');
}

function conflict({ id, transaction_id: transactionId }: AttemptRow, reason: string, message: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', message, { details: { id, transactionId, reason } });
}

async function openRowOf(read: Read, id: string): Promise<OpenRow | undefined> {
  return (await read.row(openAttempts().selectAll('a').select(TRANSACTION_COLUMNS).where('a.id', '=', id))) ?? undefined;
}

function isInReview(row: Pick<OpenRow, 'operation' | 'pending_reason'>): boolean {
  return row.pending_reason !== null && isNewPayment(row);
}

function needsPerson(row: Pick<OpenRow, 'alert' | 'state' | 'created_at' | 'operation' | 'pending_reason'>, nowMs: number): boolean {
  return row.alert !== null || row.state === 'held' || (nowMs - Date.parse(row.created_at) >= NEEDS_PERSON_AFTER_MS && !isInReview(row));
}

function stageOf({ state }: AttemptRow): UnconfirmedPayment['stage'] {
  if (state === 'done') return 'ended';
  return state === 'held' ? 'waiting' : 'open';
}

function toUnconfirmed(row: OpenRow, nowMs: number): UnconfirmedPayment {
  const needsAPerson = needsPerson(row, nowMs);
  return {
    id: row.id,
    transactionId: row.transaction_id,
    refundId: row.refund_id,
    merchantId: row.merchant_id,
    operation: row.operation,
    amount: money(Number(row.amount_minor), row.currency as Currency),
    currency: row.currency as Currency,
    card: row.card_brand === null ? null : { brand: row.card_brand, last4: row.last4 },
    bankAccount: row.account_type === null ? null : { bankName: row.bank_name, last4: row.last4 },
    customerName: row.customer_name,
    gateway: row.gateway,
    gatewayId: row.gateway_id,
    processorRef: row.processor_ref,
    since: row.created_at,
    lastInquiryAt: row.last_inquiry_at,
    nextInquiryAt: row.due_ms === null ? null : isoTime(Number(row.due_ms)),
    inquiries: Number(row.inquiries),
    pendingReason: row.pending_reason,
    alert: row.alert,
    stage: stageOf(row),
    needsPerson: needsAPerson,
    message: describeAttempt({ ...row, isInReview: isInReview(row), needsPerson: needsAPerson }),
  };
}
