import { useNavigate } from 'react-router';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions } from '#renderer/kit/record';
import { useMay } from '#renderer/session/user';

/** Panel below the buttons. */
export type Panel = 'card' | 'edit' | 'delete';

/** Actions on a customer. */
export function CustomerActions({ customer, onPanel }: { customer: Customer; onPanel: (panel: Panel) => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const charge = () => void navigate(`/sell?customerId=${customer.customerId}`);
  return (
    <RecordActions
      group={t('This customer')}
      actions={[
        ...(may('transactions:write') ? [{ keys: '$', label: t('Charge'), run: charge }] : []),
        ...(may('customers:write')
          ? [
              { keys: 'A', label: t('Add card'), run: () => onPanel('card') },
              { keys: 'E', label: t('Edit'), run: () => onPanel('edit') },
              { label: t('Delete'), run: () => onPanel('delete'), isDangerous: true },
            ]
          : []),
      ]}
    />
  );
}
