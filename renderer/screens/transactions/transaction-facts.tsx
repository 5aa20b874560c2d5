import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouteLink } from 'react-router';
import type { TransactionDetail } from '#renderer/client';
import { paidWith } from '#renderer/receipt';
import { useMay } from '#renderer/session';
import { ShiftLinks } from '#renderer/tenders';
import { addressCheck, CopyText, codeCheck, dayText, FactList } from '#renderer/ui';

const ENTRY_METHODS: Readonly<Record<string, string>> = {
  keyed: 'Keyed',
  swiped: 'Swiped',
  saved: 'Card on file',
  api: 'API',
  recurring: 'Subscription',
};

/** Details of the payment. */
export function TransactionFacts({ transaction, onOpen }: { transaction: TransactionDetail; onOpen: (transactionId: string) => void }) {
  const {
    card,
    customer,
    orderId,
    description,
    authCode,
    settledAt,
    settlementDate,
    rerunOf,
    rerun,
    source,
    voidReason,
    customerId,
    subscriptionId,
    invoiceId,
    settlementId,
  } = transaction;
  const may = useMay();
  const settlement = settlementDate ? dayText(settlementDate) : 'Settled';
  const isCard = card !== null;
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Customer',
      customerId === null ? (
        customer?.name
      ) : (
        <RecordLink key="customer" to={`/customers/${customerId}`} name={customer?.name ?? customerId} />
      ),
    ],
    [
      'Subscription',
      subscriptionId && <RecordLink key="subscription" to={`/recurring/${subscriptionId}`} name={description ?? subscriptionId} />,
    ],
    ['Invoice', invoiceId && <RecordLink key="invoice" to={`/invoices/${invoiceId}`} name={description ?? invoiceId} />],
    ['Email', customer?.email],
    ['Shipping address', transaction.shippingAddress],
    ['Paid with', paidWith(transaction)],
    // Installments of invoices are charged like subscriptions.
    ['Entry method', source === 'recurring' && subscriptionId === null ? 'Installment' : (ENTRY_METHODS[source] ?? source)],
    ['Created by', transaction.createdBy],
    ['Approved by', transaction.approvedBy],
    ['Discount approved by', transaction.discountApprovedBy],
    ['Shift', transaction.shiftId && may('shifts:read') && <ShiftLinks key="shift" shiftId={transaction.shiftId} />],
    ['Order', orderId],
    ['Purchase order', transaction.purchaseOrderNumber],
    ['Description', subscriptionId === null && invoiceId === null && description],
    ['Authorization code', authCode && <span className="mono">{authCode}</span>],
    ['Address check', isCard && transaction.avsResponse !== null && addressCheck(transaction.avsResponse, transaction.billing)],
    ['Security code', isCard && transaction.cvvResponse !== null && codeCheck(transaction.cvvResponse)],
    ['Void reason', voidReason],
    [
      'Settlement',
      settledAt !== null &&
        (settlementId !== null && may('settlement:read') ? (
          <RecordLink key="settlement" to={`/settlement/${settlementId}`} name={settlement} />
        ) : (
          settlement
        )),
    ],
    ['Processor', transaction.gateway],
    ['Processor reference', <CopyText key="reference" text={transaction.processorRef} label="Processor reference" />],
    ['Rerun of', rerunOf && <TransactionLink key="rerunOf" transactionId={rerunOf} onOpen={onOpen} />],
    ['Latest rerun', rerun && <TransactionLink key="rerun" transactionId={rerun.transactionId} onOpen={onOpen} />],
    ['Transaction ID', <CopyText key="id" text={transaction.transactionId} label="Transaction ID" />],
  ];
  return <FactList facts={facts} />;
}

/** A link that opens another transaction beside the list. */
function TransactionLink({ transactionId, onOpen }: { transactionId: string; onOpen: (transactionId: string) => void }) {
  return (
    <Link component="button" onClick={() => onOpen(transactionId)} sx={{ font: 'inherit' }} className="mono">
      {transactionId}
    </Link>
  );
}

/** A link to the screen of a record. */
function RecordLink({ to, name }: { to: string; name: string }) {
  return (
    <Link component={RouteLink} to={to} sx={{ font: 'inherit' }}>
      {name}
    </Link>
  );
}
