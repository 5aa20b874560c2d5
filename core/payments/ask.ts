import type { Connector, FollowUp, Outcome } from '#core/gateways';
import { money, parseCurrency } from '#core/kernel';
import type { Needs } from './needs.ts';
import type { AttemptRow, TransactionRow } from './schema.ts';

/** Puts an attempt's question to the gateway of its transaction; a connector that throws leaves doubt. */
export async function askAbout(on: Needs, row: TransactionRow, attempt: AttemptRow): Promise<Outcome> {
  const connector = on.gateways.of(row.tenant_id);
  const question = questionOf(row, attempt);
  try {
    return await operationOf(connector, attempt.operation)(question);
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
    amount: money(attempt.amount_minor, parseCurrency(attempt.currency)),
    original: { processorRef: row.processor_ref, reference: row.gateway_reference ?? '' },
  };
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
