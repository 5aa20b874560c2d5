import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Customer, PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordEntry, RecordHeader } from '#renderer/kit/record';
import {
  CopyText,
  dayText,
  EmptyState,
  FactList,
  fullTime,
  MoneyText,
  PanelForm,
  phoneText,
  QueryContent,
  useHeadingFocus,
} from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { cardReadersQuery } from '#renderer/shared/card-readers';
import { frequencyText } from '#renderer/shared/customers';
import { PageLinkPanel } from '#renderer/shared/payer-links';
import { AddCardPanel } from './add-card-panel.tsx';
import { CustomerActions, type Panel } from './customer-actions.tsx';
import { CustomerFields } from './customer-fields.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { GiftCardList } from './gift-card-list.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { MethodEntry } from './method-entry.tsx';
import { OrderList } from './order-list.tsx';
import { PaymentList } from './payment-list.tsx';
import { customerQuery, methodsQuery, paymentsQuery, subscriptionsQuery } from './queries.ts';
import { ReaderCardPanel } from './reader-card-panel.tsx';
import { ReminderChoice } from './reminder-choice.tsx';
import { Section } from './section.tsx';
import { StatementDialog } from './statement-dialog.tsx';
import { statementQuery } from './statement-queries.ts';
import { fullName, isRunning, nameOf } from './texts.ts';
import { useCustomerForm } from './use-customer-form.ts';

interface CustomerViewProps {
  readonly customerId: string;
  /** False while the drawer closes. */
  readonly isOpen: boolean;
  /** Called after the customer was deleted. */
  readonly onDeleted: () => void;
}

/** Period of the balance: until today. */
const TO_DATE = { startDate: '', endDate: '' };

const NOT_FOUND_CODE = 'CUSTOMER_NOT_FOUND';

/** One customer: details, payment methods, subscriptions and payments. */
export function CustomerView({ customerId, isOpen, onDeleted }: CustomerViewProps) {
  // A record that is being deleted is not requested again.
  const [isDeleting, setDeleting] = useState(false);
  const enabled = isOpen && !isDeleting;
  const customer = useQuery({ ...customerQuery(customerId), enabled });
  if (customer.error?.code === NOT_FOUND_CODE) {
    return <EmptyState title={t('Customer not found')}>{t('The customer may have been deleted. Past transactions are kept.')}</EmptyState>;
  }
  return (
    <QueryContent query={customer}>
      {(data) => <Opened customer={data} isLoadingEnabled={enabled} takesFocus={isOpen} onDeleting={setDeleting} onDeleted={onDeleted} />}
    </QueryContent>
  );
}

interface OpenedProps {
  readonly customer: Customer;
  readonly isLoadingEnabled: boolean;
  readonly takesFocus: boolean;
  readonly onDeleting: (isDeleting: boolean) => void;
  readonly onDeleted: () => void;
}

function Opened({ customer, isLoadingEnabled, takesFocus, onDeleting, onDeleted }: OpenedProps) {
  const { customerId, company, email, phone, address, notes, createdAt, lastPaymentAt } = customer;
  const may = useMay();
  const { name: merchantName, timezone, currency } = useMerchantOf(customer.merchantId);
  const [panel, setPanel] = useState<Panel>();
  const [newId, setNewId] = useState<string>();
  const heading = useHeadingFocus(takesFocus);
  const canSeeSubscriptions = may('recurring:read');
  const canSeePayments = may('transactions:read');
  const { data: readers = [] } = useQuery({
    ...cardReadersQuery(customer.merchantId),
    enabled: isLoadingEnabled && may('terminals:read') && may('customers:write'),
  });
  const methods = useQuery({ ...methodsQuery(customerId), enabled: isLoadingEnabled });
  const subscriptions = useQuery({ ...subscriptionsQuery(customerId), enabled: isLoadingEnabled && canSeeSubscriptions });
  const payments = useQuery({ ...paymentsQuery(customerId), enabled: isLoadingEnabled && canSeePayments });
  const account = useQuery({ ...statementQuery(customerId, TO_DATE), enabled: isLoadingEnabled && may('invoices:read') });
  const openPanel = (next: Panel) => {
    setNewId(undefined);
    setPanel(next);
  };
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  const cityLine = [address?.city, [address?.state, address?.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={nameOf(customer)} headingRef={heading}>
        {company && fullName(customer) !== '' && <span>{company}</span>}
      </RecordHeader>
      <CustomerActions customer={customer} hasReaders={readers.length > 0} onPanel={openPanel} />
      {panel === 'card' && (
        <AddCardPanel
          customer={customer}
          merchantName={merchantName}
          onClose={close}
          onAdded={({ paymentMethodId }) => {
            setPanel(undefined);
            setNewId(paymentMethodId);
          }}
        />
      )}
      {panel === 'reader-card' && (
        <ReaderCardPanel
          customer={customer}
          merchantName={merchantName}
          readers={readers}
          onClose={close}
          onAdded={(paymentMethodId) => {
            setPanel(undefined);
            setNewId(paymentMethodId);
          }}
        />
      )}
      {panel === 'statement' && <StatementDialog customer={customer} onClose={close} />}
      {panel === 'page-link' && <PageLinkPanel customer={customer} onClose={close} />}
      {panel === 'edit' && <EditPanel customer={customer} onClose={close} />}
      {panel === 'delete' && (
        <DeletePanel
          customer={customer}
          methods={methods.data?.items}
          subscriptions={subscriptions.data?.items}
          payments={payments.data?.total}
          onDeleting={onDeleting}
          onDeleted={onDeleted}
          onClose={close}
        />
      )}
      <FactList
        facts={[
          [t('Email'), email],
          [t('Phone'), phone && phoneText(phone)],
          [t('Address'), [address?.street, cityLine, address?.country].filter(Boolean).join(' · ')],
          [
            t('Balance'),
            account.data?.accounts.map(({ currency: balanceIn, closingBalance }) => (
              <Box key={balanceIn}>
                <MoneyText amount={closingBalance} currency={balanceIn} code />
              </Box>
            )),
          ],
          [t('Last payment'), !canSeePayments && lastPaymentAt && fullTime(lastPaymentAt, timezone)],
          [t('Created'), fullTime(createdAt, timezone)],
          [t('Customer ID'), <CopyText key="id" text={customerId} label={t('Customer ID')} />],
          [t('Notes'), notes && <Box sx={{ whiteSpace: 'pre-wrap' }}>{notes}</Box>],
        ]}
      />
      <QueryContent query={methods}>
        {({ items }) => (
          <MethodList
            customer={customer}
            methods={items}
            subscriptions={subscriptions.data?.items ?? []}
            merchantName={merchantName}
            newId={newId}
            onRemoved={() => heading.current?.focus()}
          />
        )}
      </QueryContent>
      {canSeeSubscriptions && (
        <QueryContent query={subscriptions}>{({ items }) => <SubscriptionList subscriptions={items} />}</QueryContent>
      )}
      {may('gift-cards:read') && <GiftCardList customer={customer} currency={currency} isLoadingEnabled={isLoadingEnabled} />}
      {may('invoices:read') && <InvoiceList customerId={customerId} isLoadingEnabled={isLoadingEnabled} />}
      {canSeePayments && <OrderList customerId={customerId} isLoadingEnabled={isLoadingEnabled} />}
      {canSeePayments && <QueryContent query={payments}>{(page) => <PaymentList payments={page} />}</QueryContent>}
      {may('invoices:read') && <ReminderChoice customerId={customerId} isLoadingEnabled={isLoadingEnabled} />}
    </Box>
  );
}

/** Returns the merchant of a customer. */
function useMerchantOf(merchantId: string) {
  const { merchants } = useMe();
  const merchant = merchants.find((one) => one.merchantId === merchantId) ?? merchants[0];
  if (!merchant) throw new Error('A signed-in user has access to at least one merchant.');
  return merchant;
}

/** Form to edit a customer. */
function EditPanel({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const navigate = useNavigate();
  const { fields, saving } = useCustomerForm(customer, { announcement: t('Saved.'), onClose });
  return (
    <PanelForm {...saving} title={t('Edit customer')} explanation={t('Past payments keep the original name.')} submitLabel={t('Save')}>
      <CustomerFields {...fields} ownId={customer.customerId} onOpen={(id) => void navigate(`/customers/${id}`)} />
    </PanelForm>
  );
}

interface MethodListProps {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly subscriptions: readonly Subscription[];
  readonly merchantName: string;
  /** ID of the method that was just added; its button gets the focus. */
  readonly newId: string | undefined;
  readonly onRemoved: () => void;
}

/** Payment methods of a customer, the default first. */
function MethodList({ methods, ...shared }: MethodListProps) {
  return (
    <Section
      title={t('Cards and bank accounts')}
      empty={t('No cards or bank accounts yet. Add a card to charge it later without its number.')}
    >
      {methods.map((method) => (
        <MethodEntry key={method.paymentMethodId} method={method} isOnly={methods.length === 1} {...shared} />
      ))}
    </Section>
  );
}

/** Subscriptions of a customer, running ones first. */
function SubscriptionList({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const sorted = subscriptions.toSorted((left, right) => Number(isRunning(right)) - Number(isRunning(left)));
  return (
    <Section title={t('Subscriptions')} empty={t('No subscriptions yet.')}>
      {sorted.map(({ subscriptionId, planId, amount, currency, frequency, nextPaymentDate, status }) => (
        <RecordEntry
          key={subscriptionId}
          to={`/recurring/${subscriptionId}`}
          name={planId ?? t('Subscription')}
          state={status}
          of="subscription"
          note={[frequencyText(frequency), nextPaymentDate && t('next payment {{date}}', { date: dayText(nextPaymentDate) })]
            .filter(Boolean)
            .join(', ')}
          amount={amount}
          currency={currency}
        />
      ))}
    </Section>
  );
}
