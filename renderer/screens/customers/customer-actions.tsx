import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate } from 'react-router';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { KeyHint, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';

/** Panel below the buttons. */
export type Panel = 'card' | 'edit' | 'delete';

/** Actions on a customer, each with a button and a key; deleting has no key. */
export function CustomerActions({ customer, onPanel }: { customer: Customer; onPanel: (panel: Panel) => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const canCharge = may('transactions:write');
  const canWrite = may('customers:write');
  const charge = () => void navigate(`/sell?customerId=${customer.customerId}`);
  useShortcuts(t('This customer'), [
    ...(canCharge ? [{ keys: '$', label: t('Charge'), run: charge }] : []),
    ...(canWrite ? [{ keys: 'A', label: t('Add card'), run: () => onPanel('card') }] : []),
    ...(canWrite ? [{ keys: 'E', label: t('Edit'), run: () => onPanel('edit') }] : []),
  ]);
  if (!canCharge && !canWrite) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {canCharge && (
        <Button variant="contained" color="primary" onClick={charge} endIcon={<KeyHint keys="$" />} aria-keyshortcuts="$">
          {t('Charge')}
        </Button>
      )}
      {canWrite && (
        <>
          <Button onClick={() => onPanel('card')} endIcon={<KeyHint keys="A" />} aria-keyshortcuts="A">
            {t('Add card')}
          </Button>
          <Button onClick={() => onPanel('edit')} endIcon={<KeyHint keys="E" />} aria-keyshortcuts="E">
            {t('Edit')}
          </Button>
          <Button color="error" onClick={() => onPanel('delete')}>
            {t('Delete')}
          </Button>
        </>
      )}
    </Box>
  );
}
