import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouteLink } from 'react-router';
import { channelName, secCodeName } from '#renderer/base/channels';
import type { TransactionDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { actorText, addressCheck, CopyText, codeCheck, dayText, FactList } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { verificationText } from '#renderer/shared/card-readers';
import { OrderLink } from '#renderer/shared/orders';
import { paidWith } from '#renderer/shared/receipt';
import { ShiftLinks } from '#renderer/shared/tenders';

const ENTRY_METHODS: Readonly<Record<string, string>> = {
  keyed: t('Keyed'),
  swiped: t('Swiped'),
  saved: t('Card on file'),
  api: 'API',
  recurring: t('Subscription'),
  terminal: t('Card reader'),
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
    terminal,
  } = transaction;
  const may = useMay();
  const settlement = settlementDate ? dayText(settlementDate) : t('Settled');
  const isCard = card !== null;
  const facts: (readonly [string, ReactNode])[] = [
    [
      t('Customer'),
      customerId === null ? (
        customer?.name
      ) : (
        <RecordLink key="customer" to={`/customers/${customerId}`} name={customer?.name ?? customerId} />
      ),
    ],
    [
      t('Subscription'),
      subscriptionId && <RecordLink key="subscription" to={`/recurring/${subscriptionId}`} name={description ?? subscriptionId} />,
    ],
    [t('Invoice'), invoiceId && <RecordLink key="invoice" to={`/invoices/${invoiceId}`} name={description ?? invoiceId} />],
    [t('Email'), customer?.email],
    [t('Shipping address'), transaction.shippingAddress],
    [t('Paid with'), paidWith(transaction)],
    // Installments of invoices are charged like subscriptions.
    [t('Entry method'), source === 'recurring' && subscriptionId === null ? t('Installment') : (ENTRY_METHODS[source] ?? source)],
    [t('Channel'), channelName(transaction.channel)],
    [t('Card reader'), terminal?.name],
    [t('Chip application'), terminal?.applicationLabel && `${terminal.applicationLabel} (${terminal.applicationId})`],
    [t('Cardholder verification'), terminal?.verification && verificationText(terminal.verification)],
    [t('SEC code'), transaction.secCode && secCodeName(transaction.secCode)],
    [t('Debit authorization'), transaction.bankAuthorization && authorizationText(transaction.bankAuthorization)],
    [t('Created by'), transaction.createdBy && actorText(transaction.createdBy)],
    [t('Approved by'), transaction.approvedBy && actorText(transaction.approvedBy)],
    [t('Discount approved by'), transaction.discountApprovedBy],
    [t('Shift'), transaction.shiftId && may('shifts:read') && <ShiftLinks key="shift" shiftId={transaction.shiftId} />],
    [t('Order'), orderId && <OrderLink key="order" orderId={orderId} />],
    [t('Purchase order'), transaction.purchaseOrderNumber],
    [t('Description'), subscriptionId === null && invoiceId === null && description],
    [t('Authorization code'), authCode && <span className="mono">{authCode}</span>],
    [t('Address check'), isCard && transaction.avsResponse !== null && addressCheck(transaction.avsResponse, transaction.billing)],
    [t('Security code'), isCard && transaction.cvvResponse !== null && codeCheck(transaction.cvvResponse)],
    [t('Void reason'), voidReason && serviceText(voidReason)],
    [
      t('Settlement'),
      settledAt !== null &&
        (settlementId !== null && may('settlement:read') ? (
          <RecordLink key="settlement" to={`/settlement/${settlementId}`} name={settlement} />
        ) : (
          settlement
        )),
    ],
    [t('Processor'), transaction.gateway],
    [t('Processor reference'), <CopyText key="reference" text={transaction.processorRef} label={t('Processor reference')} />],
    [t('Rerun of'), rerunOf && <TransactionLink key="rerunOf" transactionId={rerunOf} onOpen={onOpen} />],
    [t('Latest rerun'), rerun && <TransactionLink key="rerun" transactionId={rerun.transactionId} onOpen={onOpen} />],
    [t('Transaction ID'), <CopyText key="id" text={transaction.transactionId} label={t('Transaction ID')} />],
  ];
  return <FactList facts={[...facts, ...metadataFacts(transaction.metadata)]} />;
}

/** Returns a fact for each entry of the metadata, as the caller of the API named it. */
const metadataFacts = (metadata: TransactionDetail['metadata']) =>
  Object.entries(metadata ?? {}).map(([key, value]) => [t('Metadata: {{key}}', { key }), String(value)] as const);

const AUTHORIZED = { oral: t('Oral'), written: t('Written'), online: t('Online') } as const;

/** Describes how the holder of the account authorized a bank debit: "Oral, Nov 21, 2026, Recording 4711". */
function authorizationText({ method, date, reference, text }: NonNullable<TransactionDetail['bankAuthorization']>): string {
  const form = method === null ? t('Not recorded') : AUTHORIZED[method];
  return [form, date && dayText(date), reference, text && `“${text}”`].filter(Boolean).join(', ');
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
