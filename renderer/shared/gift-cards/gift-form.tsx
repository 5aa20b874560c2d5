import { useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { useAmountWithReason } from '#renderer/kit/record';
import { announce, PanelForm } from '#renderer/kit/ui';
import { refreshGiftCards } from './queries.ts';

export interface Given {
  readonly balance: number;
  /** Code of a new card. */
  readonly code?: string | null;
}

interface GiftFormProps {
  readonly title: string;
  readonly send: (gift: { readonly amount: string; readonly reason: string }, key: string) => Promise<Given>;
  readonly onGiven?: (given: Given) => void;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Gives an amount without a payment, with a reason. */
export function GiftForm({ title, send, onGiven, currency, onClose }: GiftFormProps) {
  const { fields, submit } = useAmountWithReason({ id: 'gift', currency, missingReason: t('Enter the reason.') });
  const giving = useMoneyMutation(send, {
    onSuccess: (given) => {
      announce(t('Balance {{amount}}', { amount: writeMoney(given.balance, currency) }));
      onGiven?.(given);
      void refreshGiftCards();
      onClose();
    },
  });
  return (
    <PanelForm
      title={title}
      explanation={t('The customer pays nothing for it.')}
      submitLabel={title}
      isBusy={giving.isPending}
      failure={giving.error}
      onSubmit={() => submit(giving.mutate)}
      onClose={onClose}
    >
      {fields}
    </PanelForm>
  );
}
