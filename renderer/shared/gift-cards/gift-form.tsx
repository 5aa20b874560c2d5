import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { useAmountWithReason } from '#renderer/kit/record';
import { PanelForm, useSubmit } from '#renderer/kit/ui';
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
  const giving = useSubmit({
    send,
    refresh: refreshGiftCards,
    announcement: (given) => t('Balance {{amount}}', { amount: writeMoney(given.balance, currency) }),
    onDone: (given) => {
      onGiven?.(given);
      onClose();
    },
    onClose,
  });
  return (
    <PanelForm
      {...giving}
      title={title}
      explanation={t('The customer pays nothing for it.')}
      submitLabel={title}
      onSubmit={() => submit(giving.onSubmit)}
    >
      {fields}
    </PanelForm>
  );
}
