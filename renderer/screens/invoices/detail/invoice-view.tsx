import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Invoice } from '#renderer/client';
import { MessageList } from '#renderer/receipt-delivery';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, CopyText, dayText, EmptyNote, exactTime, FactList, MoneyText, StatusChip, useHeadingFocus } from '#renderer/ui';
import { LocalOnlyNote } from '../local-only-note.tsx';
import { invoiceQuery } from '../queries.ts';
import { usePresent } from '../use-present.ts';
import { isOpen, payerOf, shownState, titleOf } from '../words.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { ItemList } from './item-list.tsx';
import { MoneyBar } from './money-bar.tsx';
import { PaymentList } from './payment-list.tsx';
import { standingOf } from './standing.ts';

interface InvoiceViewProps {
  readonly invoiceId: string;
  readonly takesFocus: boolean;
  /** Query part of the address of the list below. */
  readonly search: string;
}

/** One invoice or link: state, actions, payments and messages. */
export function InvoiceView({ invoiceId, takesFocus, search }: InvoiceViewProps) {
  const invoice = useQuery(invoiceQuery(invoiceId));
  if (invoice.error?.code === 'INVOICE_NOT_FOUND') {
    return <EmptyNote title="There is no such invoice">It may belong to another business. Search for its number instead.</EmptyNote>;
  }
  return <Answer of={invoice}>{(data) => <Opened invoice={data} takesFocus={takesFocus} search={search} />}</Answer>;
}

interface OpenedProps {
  readonly invoice: Invoice;
  readonly takesFocus: boolean;
  readonly search: string;
}

function Opened({ invoice, takesFocus, search }: OpenedProps) {
  const { timezone } = useMerchant();
  const present = usePresent();
  const heading = useHeadingFocus(takesFocus);
  const standing = standingOf(invoice, present, timezone);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ pr: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ fontSize: 28, lineHeight: '36px' }}>
          <MoneyText amount={invoice.amount} currency={invoice.currency} code />
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={shownState(invoice, present.nowMs)} />
          <span>{[titleOf(invoice), payerOf(invoice)].join(' · ')}</span>
        </Box>
      </Box>
      <MoneyBar invoice={invoice} />
      <Alert severity={standing.tone}>{standing.text}</Alert>
      {invoice.isLocalOnly && isOpen(invoice) && <LocalOnlyNote />}
      <InvoiceActions invoice={invoice} search={search} nowMs={present.nowMs} onPanelClosed={() => heading.current?.focus()} />
      <Facts invoice={invoice} />
      <ItemList invoice={invoice} />
      <PaymentList invoice={invoice} />
      <MessageList resourceId={invoice.invoiceId} />
    </Box>
  );
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { timezone } = useMerchant();
  const canSeeCustomer = useMay()('customers:read');
  const { customerId, customer, kind } = invoice;
  const at = (instant: string | null) => instant && exactTime(instant, timezone);
  return (
    <FactList
      facts={[
        [
          'Customer',
          customerId !== null && canSeeCustomer ? (
            <Link key="customer" component={RouterLink} to={`/customers/${customerId}`}>
              {payerOf(invoice)}
            </Link>
          ) : (
            customer && payerOf(invoice)
          ),
        ],
        ['E-mail', customer?.name && customer.email],
        ['Phone', customer?.phone],
        ['For', invoice.description],
        ['Due', invoice.dueDate && dayText(invoice.dueDate)],
        ['Expires', kind === 'link' && (at(invoice.expiresAt) ?? 'Never')],
        ['Part payments', invoice.allowPartial ? 'Allowed on the pay page' : 'All at once on the pay page'],
        ['Note', invoice.note && <Box sx={{ whiteSpace: 'pre-wrap' }}>{invoice.note}</Box>],
        ['Short link', invoice.shortUrl && <CopyText key="short" text={invoice.shortUrl} what="Short link" />],
        ['First sent', at(invoice.sentAt)],
        ['Made', at(invoice.createdAt)],
        [`${kind === 'link' ? 'Link' : 'Invoice'} id`, <CopyText key="id" text={invoice.invoiceId} what="Id" />],
      ]}
    />
  );
}
