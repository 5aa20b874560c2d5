import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { announce, Dialog, FailureNote } from '#renderer/kit/ui';
import { CustomerFields } from './customer-fields.tsx';
import { nameOf } from './texts.ts';
import { useCustomerForm } from './use-customer-form.ts';

interface NewCustomerDialogProps {
  readonly onClose: () => void;
  /** Opens a customer: the new one, or the one with the same address. */
  readonly onOpen: (customerId: string) => void;
}

/** Creates a customer. */
export function NewCustomerDialog({ onClose, onOpen }: NewCustomerDialogProps) {
  const { form, problems, failure, isBusy, onField, save } = useCustomerForm(undefined, (customer) => {
    announce(t('{{customer}} was added.', { customer: nameOf(customer) }));
    onOpen(customer.customerId);
  });
  return (
    <Dialog
      title={t('New customer')}
      isOpen
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={isBusy}>
            {t('Add customer')}
          </Button>
        </>
      }
    >
      <CustomerFields form={form} onField={onField} problems={problems} onOpen={onOpen} />
      {failure && (
        <Box sx={{ mt: 4 }}>
          <FailureNote failure={failure} />
        </Box>
      )}
    </Dialog>
  );
}
