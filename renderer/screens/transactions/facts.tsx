import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouteLink } from 'react-router';
import type { TransactionDetail } from '#renderer/client';
import { addressCheck, CopyText, codeCheck, dayText, FactList } from '#renderer/ui';
import { sourceOf } from './paid-with.ts';

const ENTRIES: Readonly<Record<string, string>> = {
  keyed: 'Keyed',
  swiped: 'Swiped',
  saved: 'Card on file',
  api: 'By the API',
  recurring: 'By a plan',
};

/** Details of the payment. */
export function Facts({ transaction, onOpen }: { transaction: TransactionDetail; onOpen: (transactionId: string) => void }) {
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
  } = transaction;
  const isCard = card !== null;
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Customer',
      customerId === null ? customer?.name : <Named key="customer" to={`/customers/${customerId}`} name={customer?.name ?? customerId} />,
    ],
    ['Plan', subscriptionId && <Named key="plan" to={`/recurring/${subscriptionId}`} name={description ?? subscriptionId} />],
    ['E-mail', customer?.email],
    ['Paid with', sourceOf(transaction)],
    ['Entry', ENTRIES[source] ?? source],
    ['Order', orderId],
    ['Description', subscriptionId === null && description],
    ['Authorization code', authCode && <span className="mono">{authCode}</span>],
    ['Address check', isCard && transaction.avsResponse !== null && addressCheck(transaction.avsResponse)],
    ['Security code', isCard && transaction.cvvResponse !== null && codeCheck(transaction.cvvResponse)],
    ['Reason of the void', voidReason],
    ['Settlement', settlementDate ? dayText(settlementDate) : settledAt ? 'Settled' : null],
    ['Processor', transaction.gateway],
    ['Reference', <CopyText key="reference" text={transaction.processorRef} what="Reference" />],
    ['Rerun of', rerunOf && <Opened key="rerunOf" transactionId={rerunOf} onOpen={onOpen} />],
    ['Latest rerun', rerun && <Opened key="rerun" transactionId={rerun.transactionId} onOpen={onOpen} />],
    ['Id', <CopyText key="id" text={transaction.transactionId} what="Id" />],
  ];
  return <FactList facts={facts} />;
}

/** A link that opens another transaction beside the list. */
function Opened({ transactionId, onOpen }: { transactionId: string; onOpen: (transactionId: string) => void }) {
  return (
    <Link component="button" onClick={() => onOpen(transactionId)} sx={{ font: 'inherit' }} className="mono">
      {transactionId}
    </Link>
  );
}

/** A record with its own screen. */
function Named({ to, name }: { to: string; name: string }) {
  return (
    <Link component={RouteLink} to={to} sx={{ font: 'inherit' }}>
      {name}
    </Link>
  );
}
