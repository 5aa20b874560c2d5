import type { Connector, FollowUp, Inquiry, Outcome } from '#core/gateways';
import { money, ServiceError, storedCurrency } from '#core/kernel';
import type { BankSource } from '#core/vault';
import type { Needs } from '../needs.ts';
import type { AttemptRow, TransactionRow } from '../schema.ts';

/** Puts an attempt's question to the gateway of its transaction. */
export function askAbout(on: Needs, row: TransactionRow, attempt: AttemptRow): Promise<Outcome> {
  return putTo(
    on,
    row,
    async () => ({ ...questionOf(row, attempt), paidWith: await paidWith(on, row, attempt) }),
    (connector, question) => operationOf(connector, attempt.operation)(question),
  );
}

/**
 * Asks a gateway. What fails before the question is put has certainly had no effect there; a connector that throws has told us nothing: that is doubt,
 * never a decline.
 */
export async function putTo<Question>(
  on: Needs,
  via: Pick<TransactionRow, 'tenant_id' | 'gateway_id'>,
  prepare: (connector: Connector) => Promise<Question>,
  ask: (connector: Connector, question: Question) => Promise<Outcome>,
): Promise<Outcome> {
  let connector: Connector;
  let question: Question;
  try {
    connector = await on.gateways.of(via.tenant_id, via.gateway_id);
    question = await prepare(connector);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) on.report('A question to a gateway could not be made', { gatewayId: via.gateway_id, cause });
    const reason = cause instanceof ServiceError ? cause.message : 'The question could not be made.';
    return { kind: 'not-sent', reason, retry: 'unavailable' };
  }
  try {
    return await ask(connector, question);
  } catch (cause) {
    return { kind: 'unknown', cause };
  }
}

/** What an attempt asks about its transaction. */
export function questionOf(row: TransactionRow, attempt: AttemptRow): FollowUp {
  return {
    processorRef: attempt.processor_ref,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    amount: money(attempt.amount_minor, storedCurrency(attempt.currency)),
    original: { processorRef: row.processor_ref, reference: row.gateway_reference ?? '' },
  };
}

/** How a gateway is asked what became of an attempt. */
export function inquiryOf(row: TransactionRow, attempt: AttemptRow): Inquiry {
  const { operation } = attempt;
  const isNew = operation === 'sale' || operation === 'auth' || operation === 'credit';
  return {
    tenantId: attempt.tenant_id,
    gatewayId: attempt.gateway_id,
    processorRef: attempt.processor_ref,
    sent: {
      operation,
      amount: money(attempt.amount_minor, storedCurrency(attempt.currency)),
      at: attempt.created_at,
      last4: row.last4,
      ...(isNew ? {} : { original: questionOf(row, attempt).original }),
    },
  };
}

/** What money goes back to; an account that is no longer stored is left out, and its processor refuses. */
async function paidWith(on: Needs, row: TransactionRow, { operation }: AttemptRow): Promise<FollowUp['paidWith']> {
  if (operation !== 'refund' && operation !== 'void') return undefined;
  if (row.card_brand !== null) return { kind: 'card', last4: row.last4 };
  try {
    return (await on.vault.open(row.tenant_id, row.token)) as BankSource;
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'NOT_FOUND') return undefined;
    throw cause;
  }
}

function operationOf(connector: Connector, operation: AttemptRow['operation']): (question: FollowUp) => Promise<Outcome> {
  switch (operation) {
    case 'capture':
      return (question) => connector.capture(question);
    case 'cancel_capture':
      return (question) => connector.cancelCapture(question);
    case 'void':
      return (question) => connector.void(question);
    case 'refund':
      return (question) => connector.refund(question);
    default:
      throw new Error(`${operation} is not asked about a transaction`);
  }
}
