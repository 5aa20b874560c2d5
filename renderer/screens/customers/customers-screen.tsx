import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { FormDialog, Screen } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { ADDRESS } from './address.ts';
import { CustomerFields } from './customer-fields.tsx';
import { CustomerView } from './customer-view.tsx';
import { CustomersTab } from './customers-tab.tsx';
import { ExpiringTab } from './expiring-tab.tsx';
import { expiringQuery } from './queries.ts';
import { nameOf } from './texts.ts';
import { useCustomerForm } from './use-customer-form.ts';

/** Customers: search, payment methods, charges; and expiring cards. */
export function CustomersScreen() {
  const navigate = useNavigate();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: customerId, open, close, panel } = useRecordAddress('/customers', search);
  const may = useMay();
  const canWrite = may('customers:write');
  const mayTransfer = may('customers:export') || may('owner:transfers');
  const [isNewOpen, setNewOpen] = useState(false);
  const isExpiring = values.tab === 'expiring';
  const { merchantId } = useMerchant();
  const expiring = useQuery(expiringQuery(merchantId, 1)).data?.total ?? 0;
  const startNew = () => setNewOpen(true);
  const list = { openId: customerId, onOpen: open };

  return (
    <Screen
      title={t('Customers')}
      fillsHeight
      subtitle={t('Customers and their saved cards.')}
      actions={
        <PageActions
          group={t('Customers')}
          actions={[
            ...(canWrite ? [{ keys: 'N', label: t('New customer'), run: startNew }] : []),
            ...(mayTransfer ? [{ label: t('Import and export'), run: () => void navigate('/customers/transfer') }] : []),
          ]}
        >
          <SavedViews />
        </PageActions>
      }
    >
      <TabRow
        label={t('Customer lists')}
        tabs={[
          { id: 'all', name: t('Customers') },
          { id: 'expiring', name: expiring > 0 ? t('Expiring cards ({{count, number}})', { count: expiring }) : t('Expiring cards') },
        ]}
        value={values.tab}
        onChange={(tab) => go({ tab })}
      />
      {isExpiring ? <ExpiringTab {...list} /> : <CustomersTab {...list} onNew={startNew} />}
      <RecordPanel label={t('Customer')} {...panel}>
        {(id, isOpen) => <CustomerView customerId={id} isOpen={isOpen} onDeleted={close} />}
      </RecordPanel>
      {isNewOpen && (
        <NewCustomerDialog
          onClose={() => setNewOpen(false)}
          onOpen={(id) => {
            setNewOpen(false);
            open(id);
          }}
        />
      )}
    </Screen>
  );
}

interface NewCustomerDialogProps {
  readonly onClose: () => void;
  /** Opens a customer: the new one, or the one with the same address. */
  readonly onOpen: (customerId: string) => void;
}

/** Creates a customer. */
function NewCustomerDialog({ onClose, onOpen }: NewCustomerDialogProps) {
  const { fields, saving } = useCustomerForm(undefined, {
    announcement: (customer) => t('{{customer}} was added.', { customer: nameOf(customer) }),
    onDone: (customer) => onOpen(customer.customerId),
    onClose,
  });
  return (
    <FormDialog {...saving} title={t('New customer')} submitLabel={t('Add customer')}>
      <CustomerFields {...fields} onOpen={onOpen} />
    </FormDialog>
  );
}
