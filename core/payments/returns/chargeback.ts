import { integer, type RowOf, table, text } from '#core/database';
import {
  type Actor,
  addDays,
  type Currency,
  dateIn,
  isoTime,
  type Money,
  money,
  newId,
  ServiceError,
  timeAfter,
  toNumber,
} from '#core/kernel';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockTransaction } from '../repository.ts';

export type ChargebackOutcome = 'won' | 'lost';

export const CHARGEBACKS = table(
  'chargebacks',
  {
    tenant_id: text,
    id: text,
    transaction_id: text,
    merchant_id: text,
    amount_minor: integer,
    currency: text,
    reason: text,
    status: text.of<'open' | ChargebackOutcome>(),
    due_date: text,
    created_at: text,
    concluded_at: text.optional,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'chargebacks_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] }] },
);

export type ChargebackRow = RowOf<typeof CHARGEBACKS>;

/** A payment that the cardholder disputes. */
export interface Chargeback {
  readonly chargebackId: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly currency: Currency;
  readonly reason: string;
  readonly status: 'open' | ChargebackOutcome;
  /** Last day to answer it, YYYY-MM-DD. */
  readonly dueDate: string;
  readonly createdAt: string;
  readonly concludedAt: string | null;
}

export interface ChargebackInput {
  readonly transactionId: string;
  readonly reason?: string;
  readonly outcome?: ChargebackOutcome;
}

const DAYS_TO_ANSWER = 14;

function toChargeback(row: ChargebackRow): Chargeback {
  const currency = row.currency as Currency;
  return {
    chargebackId: row.id,
    transactionId: row.transaction_id,
    amount: money(row.amount_minor, currency),
    currency,
    reason: row.reason,
    status: row.status,
    dueDate: row.due_date,
    createdAt: row.created_at,
    concludedAt: row.concluded_at,
  };
}

/**
 * Raises a chargeback of a captured payment for the amount that is not refunded, or concludes an open one if an outcome is given (decisions
 * 5). Emits chargeback.received, chargeback.won and chargeback.lost. @throws ServiceError RESOURCE_CONFLICT if nothing can be charged back,
 * or one is open already.
 */
export async function raiseChargeback(deps: Dependencies, actor: Actor, input: ChargebackInput): Promise<Chargeback> {
  const { timezone } = await deps.merchantFor(actor, (await checkScope(deps, actor, input.transactionId)).merchant_id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const payment = await lockTransaction(work, input.transactionId);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), payment.updated_at);
    const eventBase = { tenantId: actor.tenantId, merchantId: payment.merchant_id, resourceId: payment.id, atMs: now };
    const [latest] = await work.find(CHARGEBACKS, { transaction_id: payment.id }, { orderBy: [['id', 'desc']], limit: 1 });
    let row = latest?.status === 'open' ? latest : undefined;
    if (row && !input.outcome) throw conflict('This payment has an open chargeback. Send its `outcome`.', 'chargeback_open');
    if (!row) {
      const chargeableMinor = payment.captured_minor - payment.refunded_minor - payment.reserved_minor;
      if (payment.status !== 'approved' || payment.type === 'credit' || chargeableMinor <= 0) {
        throw conflict('Only a captured payment that is not refunded can be charged back.', 'nothing_captured');
      }
      row = {
        tenant_id: actor.tenantId,
        id: newId('chb', now),
        transaction_id: payment.id,
        merchant_id: payment.merchant_id,
        amount_minor: chargeableMinor,
        currency: payment.currency,
        reason: input.reason ?? 'fraudulent',
        status: 'open',
        due_date: addDays(dateIn(timezone, now), DAYS_TO_ANSWER),
        created_at: isoTime(now),
        concluded_at: null,
      };
      work.insert(CHARGEBACKS, row);
      const { chargebackId, transactionId, amount, reason, dueDate } = toChargeback(row);
      deps.emit(work, {
        ...eventBase,
        type: 'chargeback.received',
        data: { chargebackId, transactionId, amount: toNumber(amount), reason, dueDate },
      });
    }
    if (input.outcome) {
      const { outcome } = input;
      row = { ...row, status: outcome, concluded_at: isoTime(now) };
      await work.update(CHARGEBACKS, { id: row.id }, { status: outcome, concluded_at: row.concluded_at });
      const { chargebackId, transactionId, amount } = toChargeback(row);
      deps.emit(work, {
        ...eventBase,
        type: `chargeback.${outcome}`,
        data: { chargebackId, transactionId, amount: toNumber(amount), outcome },
      });
    }
    deps.audit(work, {
      actor,
      action: input.outcome ? 'chargeback.concluded' : 'chargeback.raised',
      resource: `chargebacks/${row.id}`,
      merchantId: row.merchant_id,
      after: { transactionId: row.transaction_id, status: row.status, reason: row.reason },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'transactions'));
    return toChargeback(row);
  });
}

function conflict(message: string, reason: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', message, { details: { reason } });
}
