import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ApiFailure, api, type Transaction, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { announce, ConfirmDialog } from '#renderer/kit/ui';
import { STALE_AFTER_SALE } from '../charge/queries.ts';

interface Voiding {
  readonly ask: () => void;
  readonly failure: ApiFailure | null;
  readonly dialog: ReactNode;
}

/** Voids a payment before its settlement, after confirmation. */
export function useVoid(transaction: Transaction, onChange: (transaction: Transaction) => void): Voiding {
  const [isConfirming, setConfirming] = useState(false);
  const cache = useQueryClient();
  const { transactionId } = transaction;
  const voiding = useMoneyMutation(
    (_: undefined, key: string) =>
      takeData(
        api.POST('/api/v1/transactions/{id}/void', {
          params: { path: { id: transactionId }, header: { 'Idempotency-Key': key } },
          body: { reason: 'voided at the terminal' },
        }),
      ),
    {
      onSuccess: (voided) => {
        setConfirming(false);
        onChange(voided);
        announce(t('Voided: {{amount}}.', { amount: writeMoney(voided.amount, voided.currency) }));
        for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
      },
      onError: () => setConfirming(false),
    },
  );
  const money = writeMoney(transaction.amount, transaction.currency);
  return {
    ask: () => setConfirming(true),
    failure: voiding.error,
    dialog: (
      <ConfirmDialog
        title={t('Void {{money}}?', { money })}
        isOpen={isConfirming}
        submitLabel={t('Void {{money}}', { money })}
        isDangerous
        isBusy={voiding.isPending}
        onSubmit={() => voiding.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        {t('The charge is canceled before it settles and disappears from the customer’s statement.')}
      </ConfirmDialog>
    ),
  };
}
