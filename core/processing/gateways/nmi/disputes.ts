import type { Currency } from '#core/kernel';
import type { ReportedDispute, ReportPeriod } from '../connector.ts';
import type { Client } from './client.ts';
import { typeOf } from './inquire.ts';
import { DISPUTE_ACTIONS } from './mapping.ts';
import { actionsIn, amountOfAction, changedSince, referenceOf, timeOf } from './settlement.ts';
import { type Element, textOf } from './xml.ts';

const CODE_MAX = 20;

/**
 * Yields the chargebacks and reversals of a period. The query has no filter for them, so it covers every payment that changed since the start of
 * the period.
 */
export async function* disputes(client: Client, period: ReportPeriod, currency: Currency): AsyncGenerator<ReportedDispute[]> {
  for await (const transactions of changedSince(client, period.from, {}))
    yield transactions.flatMap((transaction) =>
      actionsIn(transaction, period, (type) => DISPUTE_ACTIONS.has(type))
        .map((action) => disputeOf(client, transaction, action, currency))
        // Actions of the same second stay in the order of the processor.
        .toSorted((left, right) => (left.at ?? '').localeCompare(right.at ?? '')),
    );
}

function disputeOf(client: Client, transaction: Element, action: Element, currency: Currency): ReportedDispute {
  const text = (name: string) => client.clean(textOf(action, name) ?? '') || undefined;
  const reasonCode = text('processor_response_code');
  return {
    kind: DISPUTE_ACTIONS.get(typeOf(action)) ?? 'chargeback',
    reference: referenceOf(transaction),
    processorRef: textOf(transaction, 'order_id') ?? '',
    amount: amountOfAction(action, currency),
    at: timeOf(action),
    reasonCode: reasonCode === undefined || reasonCode.length > CODE_MAX ? undefined : reasonCode,
    reason: text('response_text'),
  };
}
