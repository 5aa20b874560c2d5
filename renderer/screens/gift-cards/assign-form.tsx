import { useState } from 'react';
import type { Customer, GiftCardDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { PanelForm, useSubmit } from '#renderer/kit/ui';
import { CustomerField } from '#renderer/shared/customers';
import { refreshGiftCards } from '#renderer/shared/gift-cards';
import { assignGiftCard } from './queries.ts';

/** Names the customer of a gift card, or none. */
export function AssignForm({ card, onClose }: { readonly card: GiftCardDetail; readonly onClose: () => void }) {
  const [customer, setCustomer] = useState<Customer | null>(null);
  const assigning = useSubmit({
    send: (_, key) => assignGiftCard(card.giftCardId, customer?.customerId ?? null, key),
    refresh: refreshGiftCards,
    announcement: t('Saved'),
    onClose,
  });
  return (
    <PanelForm
      {...assigning}
      title={t('Customer of the card')}
      explanation={t('The record of the customer shows the card. The card still pays by its code only.')}
      submitLabel={t('Save customer')}
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
