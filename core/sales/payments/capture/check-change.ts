import { ServiceError, step } from '#core/kernel';
import type { Connector } from '#core/processing/gateways';
import type { Dependencies } from '../dependencies.ts';
import { refuseWhileChanging, stateOf } from '../eligibility.ts';
import type { TransactionRow } from '../schema.ts';
import { SALE_HAS_NO_CAPTURE, TRANSACTION_STEPS, type TransactionOperation } from '../steps.ts';

/** Operations that change a payment at its gateway. */
export type ChangeOperation = Exclude<TransactionOperation, 'refund' | 'credit' | 'rerun'>;

/** Returns the capabilities of the gateway on which an operation depends; null if it depends on none. @throws ServiceError GATEWAY_UNAVAILABLE. */
export async function capabilitiesFor(
  deps: Dependencies,
  operation: ChangeOperation,
  { tenant_id, gateway_id }: TransactionRow,
): Promise<Connector['capabilities'] | null> {
  const isIndependent = operation === 'capture' || operation === 'void';
  return isIndependent ? null : (await deps.gateways.connectorFor(tenant_id, gateway_id)).capabilities;
}

/**
 * Checks that a payment allows an operation now, whatever its amount. @throws ServiceError with the refusal of the transition table; RESOURCE_CONFLICT
 * with `details.reason` if the kind of the payment or its gateway excludes the operation, or while another operation is in progress.
 */
export function checkChange(row: TransactionRow, operation: ChangeOperation, capabilities: Connector['capabilities'] | null): void {
  step(TRANSACTION_STEPS, stateOf(row), operation, { transactionId: row.id });
  const isAdjustment = operation === 'adjustAuthorization' || operation === 'adjustTip';
  if (isAdjustment && row.method === 'ach') throw changeRefused(row.id, 'bank_payment', 'The amount of a bank payment cannot be changed.');
  if (isAdjustment && !capabilities?.adjustsAmounts)
    throw changeRefused(row.id, 'gateway_cannot_adjust', 'The gateway of this payment cannot change amounts. Void it and charge again.');
  if (operation === 'cancelCapture' && row.type === 'sale')
    throw new ServiceError(SALE_HAS_NO_CAPTURE.code, SALE_HAS_NO_CAPTURE.message, { details: { reason: SALE_HAS_NO_CAPTURE.reason } });
  refuseWhileChanging(row);
  if (operation === 'cancelCapture' && !capabilities?.cancelsCaptures && row.capture_held_until === null)
    throw changeRefused(
      row.id,
      'capture_already_sent',
      'The capture was already sent to the gateway, which cannot cancel captures. Refund the payment instead.',
    );
}

/** Returns the refusal of a change with its reason. */
export function changeRefused(transactionId: string, reason: string, message: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', message, { details: { transactionId, reason } });
}
