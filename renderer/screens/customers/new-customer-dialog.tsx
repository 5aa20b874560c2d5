import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { announce, FailureNote, FormDialog } from '#renderer/kit/ui';
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
    <FormDialog title={t('New customer')} submitLabel={t('Add customer')} isBusy={isBusy} onSubmit={save} onClose={onClose}>
      <CustomerFields form={form} onField={onField} problems={problems} onOpen={onOpen} />
      {failure && (
        <Box sx={{ mt: 4 }}>
          <FailureNote failure={failure} />
        </Box>
      )}
    </FormDialog>
  );
}
