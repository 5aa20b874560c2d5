import { api, queryClient, type Transaction, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce } from '#renderer/kit/ui';
import { unconfirmedChargeQuery } from '../charge/queries.ts';
import { type UnconfirmedCharge, useUnconfirmedCharges } from '../charge/unconfirmed-charges.ts';

/** Asks the card reader to end the payment. The outcome of the payment decides whether it did. */
export async function cancelOnReader(transactionId: string): Promise<Transaction> {
  const payment = await takeData(api.POST('/api/v1/transactions/{id}/cancel-terminal', { params: { path: { id: transactionId } } }));
  queryClient.setQueryData(unconfirmedChargeQuery(transactionId).queryKey, (before) => before && { ...before, ...payment });
  return payment;
}

/**
 * Ends the payment on the card reader after the clerk left the screen, so that the next customer does not meet its amount. If the card was charged
 * before, the payment stays in the list of the screen.
 */
export async function leaveReader({ reader, ...unconfirmed }: UnconfirmedCharge): Promise<void> {
  if (reader === undefined) return;
  const { add, remove } = useUnconfirmedCharges.getState();
  add(unconfirmed);
  const { status } = await cancelOnReader(unconfirmed.transactionId);
  if (status === 'pending') return;
  const { amount, currency, transactionId } = unconfirmed;
  const shown = { name: reader.name, amount: `${amount} ${currency}` };
  if (status === 'approved') return announce(t('{{name}}: {{amount}} was charged before the payment could be canceled.', shown));
  remove(transactionId);
  announce(t('{{name}}: the payment of {{amount}} was canceled. Nothing was charged.', shown));
}
