import { useNavigate } from 'react-router';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions } from '#renderer/kit/record';
import { useMay } from '#renderer/session/user';

/** Panel below the buttons. */
export type Panel = 'card' | 'reader-card' | 'statement' | 'page-link' | 'edit' | 'delete';

interface CustomerActionsProps {
  readonly customer: Customer;
  /** True if a card reader of the merchant can store the card. */
  readonly hasReaders: boolean;
  readonly onPanel: (panel: Panel) => void;
}

/** Actions on a customer. */
export function CustomerActions({ customer, hasReaders, onPanel }: CustomerActionsProps) {
  const navigate = useNavigate();
  const may = useMay();
  const charge = () => void navigate(`/sell?customerId=${customer.customerId}`);
  return (
    <RecordActions
      group={t('This customer')}
      actions={[
        ...(may('transactions:write') ? [{ keys: '$', label: t('Charge'), run: charge }] : []),
        ...(may('invoices:read') ? [{ keys: 'M', label: t('Statement'), run: () => onPanel('statement') }] : []),
        ...(may('customers:write')
          ? [
              { keys: 'A', label: t('Add card'), run: () => onPanel('card') },
              ...(hasReaders ? [{ keys: 'R', label: t('Add card by reader'), run: () => onPanel('reader-card') }] : []),
              { keys: 'L', label: t('Page link'), run: () => onPanel('page-link') },
              { keys: 'E', label: t('Edit'), run: () => onPanel('edit') },
              { label: t('Delete'), run: () => onPanel('delete'), isDangerous: true },
            ]
          : []),
      ]}
    />
  );
}
