import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '#renderer/client';
import { useMay, useMe } from '#renderer/session';
import { Answer, CopyText, EmptyNote, exactTime, FactList, useHeadingFocus } from '#renderer/ui';
import { AddCardPanel } from './add-card-panel.tsx';
import { CustomerActions, type Panel } from './customer-actions.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { EditPanel } from './edit-panel.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { MethodList } from './method-list.tsx';
import { PaymentList } from './payment-list.tsx';
import { customerQuery, methodsQuery, paymentsQuery, subscriptionsQuery } from './queries.ts';
import { SubscriptionList } from './subscription-list.tsx';
import { fullName, nameOf } from './words.ts';

interface CustomerViewProps {
  readonly customerId: string;
  /** False while the drawer is on its way out. */
  readonly isOpen: boolean;
  /** The customer was deleted. */
  readonly onGone: () => void;
}

const GONE = 'CUSTOMER_NOT_FOUND';

/** One customer: details, payment methods, subscriptions and payments. */
export function CustomerView({ customerId, isOpen, onGone }: CustomerViewProps) {
  // A record that is being deleted is not requested again.
  const [isLeaving, setLeaving] = useState(false);
  const enabled = isOpen && !isLeaving;
  const customer = useQuery({ ...customerQuery(customerId), enabled });
  if (customer.error?.code === GONE) {
    return <EmptyNote title="There is no such customer">They may have been deleted. Their transactions are kept.</EmptyNote>;
  }
  return (
    <Answer of={customer}>
      {(data) => <Opened customer={data} isAsking={enabled} takesFocus={isOpen} onLeaving={setLeaving} onGone={onGone} />}
    </Answer>
  );
}

interface OpenedProps {
  readonly customer: Customer;
  readonly isAsking: boolean;
  readonly takesFocus: boolean;
  readonly onLeaving: (isLeaving: boolean) => void;
  readonly onGone: () => void;
}

function Opened({ customer, isAsking, takesFocus, onLeaving, onGone }: OpenedProps) {
  const { customerId, company, email, phone, address, notes, createdAt, lastPaymentAt } = customer;
  const may = useMay();
  const { name: merchantName, timezone } = useMerchantOf(customer.merchantId);
  const [panel, setPanel] = useState<Panel>();
  const [newId, setNewId] = useState<string>();
  const heading = useHeadingFocus(takesFocus);
  const canSeePlans = may('recurring:read');
  const canSeePayments = may('transactions:read');
  const methods = useQuery({ ...methodsQuery(customerId), enabled: isAsking });
  const plans = useQuery({ ...subscriptionsQuery(customerId), enabled: isAsking && canSeePlans });
  const payments = useQuery({ ...paymentsQuery(customerId), enabled: isAsking && canSeePayments });
  const openPanel = (wanted: Panel) => {
    setNewId(undefined);
    setPanel(wanted);
  };
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  const place = [address?.city, [address?.state, address?.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ pr: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ fontSize: 20, lineHeight: '28px', overflowWrap: 'anywhere' }}>
          {nameOf(customer)}
        </Typography>
        {company && fullName(customer) !== '' && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{company}</Box>}
      </Box>
      <CustomerActions customer={customer} onPanel={openPanel} />
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
      {panel === 'edit' && <EditPanel customer={customer} onClose={close} />}
      {panel === 'delete' && (
        <DeletePanel
          customer={customer}
          methods={methods.data?.items}
          subscriptions={plans.data?.items}
          payments={payments.data?.total}
          onLeaving={onLeaving}
          onGone={onGone}
          onClose={close}
        />
      )}
      <FactList
        facts={[
          ['E-mail', email],
          ['Phone', phone],
          ['Address', [address?.street, place, address?.country].filter(Boolean).join(' · ')],
          ['Last payment', !canSeePayments && lastPaymentAt && exactTime(lastPaymentAt, timezone)],
          ['Since', exactTime(createdAt, timezone)],
          ['Customer', <CopyText key="id" text={customerId} what="Customer id" />],
          ['Notes', notes && <Box sx={{ whiteSpace: 'pre-wrap' }}>{notes}</Box>],
        ]}
      />
      <Answer of={methods}>
        {({ items }) => (
          <MethodList
            customer={customer}
            methods={items}
            subscriptions={plans.data?.items ?? []}
            merchantName={merchantName}
            newId={newId}
            onRemoved={() => heading.current?.focus()}
          />
        )}
      </Answer>
      {canSeePlans && <Answer of={plans}>{({ items }) => <SubscriptionList subscriptions={items} />}</Answer>}
      {may('invoices:read') && <InvoiceList customerId={customerId} isAsking={isAsking} />}
      {canSeePayments && <Answer of={payments}>{(page) => <PaymentList payments={page} />}</Answer>}
    </Box>
  );
}

/** The merchant whose customer it is. */
function useMerchantOf(merchantId: string) {
  const { merchants } = useMe();
  const merchant = merchants.find((one) => one.merchantId === merchantId) ?? merchants[0];
  if (!merchant) throw new Error('a signed-in person reaches one merchant at least');
  return merchant;
}
