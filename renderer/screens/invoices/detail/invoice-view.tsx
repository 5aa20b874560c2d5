import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Invoice, InvoiceDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordHeader } from '#renderer/kit/record';
import { CopyText, dayText, EmptyState, FactList, fullTime, phoneText, QueryContent, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { InstallmentSection } from '#renderer/shared/installments';
import { shownState } from '#renderer/shared/invoices';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { MessageList } from '#renderer/shared/receipt-delivery';
import { invoiceQuery } from '../queries.ts';
import { isOpen, payerOf, titleOf } from '../texts.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { HostedPageSection } from './hosted-page-section.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { ItemList } from './item-list.tsx';
import { LateFeeSection } from './late-fee-section.tsx';
import { MoneyBar } from './money-bar.tsx';
import { PaymentList } from './payment-list.tsx';
import { ReminderSection } from './reminder-section.tsx';
import { statusNoteOf } from './status-note.ts';

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
    return <EmptyState title={t('Invoice not found')}>{t('It may belong to another account. Search for its number instead.')}</EmptyState>;
  }
  return <QueryContent query={invoice}>{(data) => <Opened invoice={data} takesFocus={takesFocus} search={search} />}</QueryContent>;
}

interface OpenedProps {
  readonly invoice: InvoiceDetail;
  readonly takesFocus: boolean;
  readonly search: string;
}

function Opened({ invoice, takesFocus, search }: OpenedProps) {
  const { timezone } = useMerchant();
  const may = useMay();
  const now = useCurrentTime();
  const heading = useHeadingFocus(takesFocus);
  const statusNote = statusNoteOf(invoice, now, timezone);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader
        title={{ amount: invoice.amount, currency: invoice.currency }}
        status={shownState(invoice, now.nowMs)}
        of={invoice.kind === 'link' ? undefined : 'invoice'}
        headingRef={heading}
        note={statusNote?.isWarning === false && statusNote.text}
      >
        <span>{[titleOf(invoice), payerOf(invoice)].join(' · ')}</span>
      </RecordHeader>
      <MoneyBar invoice={invoice} />
      {statusNote?.isWarning && <Alert severity="warning">{statusNote.text}</Alert>}
      {invoice.isLocalOnly && isOpen(invoice) && <LocalOnlyNote />}
      <InvoiceActions invoice={invoice} search={search} onPanelClosed={() => heading.current?.focus()} />
      {invoice.status !== 'draft' && <HostedPageSection invoice={invoice} />}
      {invoice.kind === 'invoice' && may('recurring:read') && (
        <InstallmentSection invoiceId={invoice.invoiceId} onPanelClosed={() => heading.current?.focus()} />
      )}
      {invoice.kind === 'invoice' && (
        <>
          <ReminderSection invoice={invoice} onPanelClosed={() => heading.current?.focus()} />
          <LateFeeSection invoice={invoice} onPanelClosed={() => heading.current?.focus()} />
        </>
      )}
      <Facts invoice={invoice} />
      <ItemList invoice={invoice} />
      <PaymentList invoice={invoice} />
      <MessageList resourceId={invoice.invoiceId} />
    </Box>
  );
}

/** Tips of links that do not follow the settings. */
const TIP_TEXTS = { default: undefined, yes: t('Asked for on the pay page'), no: t('Not asked for on the pay page') } as const;

function Facts({ invoice }: { invoice: Invoice }) {
  const { timezone } = useMerchant();
  const canSeeCustomer = useMay()('customers:read');
  const { customerId, customer, kind } = invoice;
  const at = (instant: string | null) => instant && fullTime(instant, timezone);
  return (
    <FactList
      facts={[
        [
          t('Customer'),
          customerId !== null && canSeeCustomer ? (
            <Link key="customer" component={RouterLink} to={`/customers/${customerId}`}>
              {payerOf(invoice)}
            </Link>
          ) : (
            customer && payerOf(invoice)
          ),
        ],
        [t('Email'), customer?.name && customer.email],
        [t('Phone'), customer?.phone && phoneText(customer.phone)],
        [t('Description'), invoice.description],
        [t('Tax within the amount'), invoice.taxAmount > 0 && writeMoney(invoice.taxAmount, invoice.currency)],
        [t('Purchase order'), invoice.purchaseOrderNumber],
        [t('Due'), invoice.dueDate && dayText(invoice.dueDate)],
        [t('Expires'), kind === 'link' && (at(invoice.expiresAt) ?? t('Never'))],
        [t('Partial payments'), invoice.allowPartial ? t('Allowed on the pay page') : t('Not allowed on the pay page')],
        [t('Shipping address'), invoice.collectShippingAddress && t('Asked for on the pay page')],
        [t('Tip'), TIP_TEXTS[invoice.askForTip]],
        [t('Note'), invoice.note && <Box sx={{ whiteSpace: 'pre-wrap' }}>{invoice.note}</Box>],
        [t('Short link'), invoice.shortUrl && <CopyText key="short" text={invoice.shortUrl} label={t('Short link')} />],
        [invoice.delivery === null || invoice.delivery.status === 'sent' ? t('First sent') : t('Sending requested'), at(invoice.sentAt)],
        [t('Created'), at(invoice.createdAt)],
        [kind === 'link' ? t('Link ID') : t('Invoice ID'), <CopyText key="id" text={invoice.invoiceId} label="ID" />],
      ]}
    />
  );
}
