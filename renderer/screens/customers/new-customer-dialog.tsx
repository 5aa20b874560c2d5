import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { announce, Dialog, FailureNote } from '#renderer/ui';
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
    announce(`${nameOf(customer)} was added.`);
    onOpen(customer.customerId);
  });
  return (
    <Dialog
      title="New customer"
      isOpen
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={isBusy}>
            Add customer
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
