import { useNavigate } from 'react-router';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { CustomerFields } from './customer-fields.tsx';
import { useCustomerForm } from './use-customer-form.ts';

/** Form to edit a customer. */
export function EditPanel({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const navigate = useNavigate();
  const { form, problems, failure, isBusy, onField, save } = useCustomerForm(customer, () => {
    announce(t('Saved.'));
    onClose();
  });
  return (
    <PanelForm
      title={t('Edit customer')}
      explanation={t('Past payments keep the original name.')}
      submitLabel={t('Save')}
      isBusy={isBusy}
      failure={failure}
      onSubmit={save}
      onClose={onClose}
    >
      <CustomerFields
        form={form}
        onField={onField}
        problems={problems}
        ownId={customer.customerId}
        onOpen={(id) => void navigate(`/customers/${id}`)}
      />
    </PanelForm>
  );
}
