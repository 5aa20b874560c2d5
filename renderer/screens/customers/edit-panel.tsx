import { useNavigate } from 'react-router';
import type { Customer } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { CustomerFields } from './customer-fields.tsx';
import { useCustomerForm } from './use-customer-form.ts';

/** Changes what is known of a customer. */
export function EditPanel({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const navigate = useNavigate();
  const { form, faults, failure, isBusy, onField, save } = useCustomerForm(customer, () => {
    announce('Saved.');
    onClose();
  });
  return (
    <PanelForm
      title="Edit customer"
      explanation="Payments that were made keep the name they were made with."
      submitLabel="Save"
      isBusy={isBusy}
      failure={failure}
      onSubmit={save}
      onClose={onClose}
    >
      <CustomerFields
        form={form}
        onField={onField}
        faults={faults}
        ownId={customer.customerId}
        onOpen={(id) => void navigate(`/customers/${id}`)}
      />
    </PanelForm>
  );
}
