import { useState } from 'react';
import { type Customer, type GiftCardDetail, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { CustomerField } from '#renderer/shared/customers';
import { refreshGiftCards } from '#renderer/shared/gift-cards';
import { assignGiftCard } from './queries.ts';

/** Names the customer of a gift card, or none. */
export function AssignForm({ card, onClose }: { readonly card: GiftCardDetail; readonly onClose: () => void }) {
  const [customer, setCustomer] = useState<Customer | null>(null);
  const assigning = useMoneyMutation((customerId: string | null, key) => assignGiftCard(card.giftCardId, customerId, key), {
    onSuccess: () => {
      announce(t('Saved'));
      void refreshGiftCards();
      onClose();
    },
  });
  return (
    <PanelForm
      title={t('Customer of the card')}
      explanation={t('The record of the customer shows the card. The card still pays by its code only.')}
      submitLabel={t('Save customer')}
      isBusy={assigning.isPending}
      failure={assigning.error}
      onSubmit={() => assigning.mutate(customer?.customerId ?? null)}
      onClose={onClose}
    >
      <CustomerField
        id="card-customer"
        merchantId={card.merchantId}
        value={customer}
        onChange={setCustomer}
        detailOf={({ email, phone }) => email ?? phone ?? ''}
        hint={t('Empty removes the customer from the card.')}
        autoFocus
      />
    </PanelForm>
  );
}
