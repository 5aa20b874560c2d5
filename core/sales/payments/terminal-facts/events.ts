import type { TypedEvent } from '#core/records/webhooks';
import type { Transaction } from '../records.ts';

/** Returns the event of a changed state of a payment on a card reader; null for another payment. */
export function terminalEvent({ transactionId, amount, currency, terminal }: Transaction): TypedEvent | null {
  if (terminal === null) return null;
  const { terminalId, name, state, tipAmount, canceledBy, entryMode } = terminal;
  return {
    type: 'terminal.payment_updated',
    data: {
      transactionId,
      terminalId,
      name,
      amount,
      tipAmount,
      currency,
      state,
      canceledBy,
      entryMode,
    },
  };
}
