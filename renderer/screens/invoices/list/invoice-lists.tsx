import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import type { Invoice, InvoiceSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { type BulkAction, RecordList, Totals } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { EmptyState, Screen } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { sendingResult } from '#renderer/shared/messages';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { toDoQuery } from '#renderer/shared/to-do';
import { InvoiceView } from '../detail/invoice-view.tsx';
import { LinkDialog } from '../links/link-dialog.tsx';
import { sendInvoice } from '../operations.ts';
import { invoicesQuery, refreshInvoices, summaryQuery, totalsQuery } from '../queries.ts';
import { payerOf, titleOf } from '../texts.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { columnsFor } from './columns.tsx';
import { daysOf } from './period.ts';
import { SORTS, useView, type View } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['sentAt', 'kind', 'createdAt', 'amount', 'dueDate'];

const nameOf = (invoice: Invoice) => [titleOf(invoice), payerOf(invoice), writeMoney(invoice.amount, invoice.currency)].join(', ');

/** Sends invoices by email, each to the address of its customer. */
const SEND: readonly BulkAction<Invoice>[] = [
  {
    label: t('Send by email'),
    explain: (rows) =>
      t('Emails {{count, number}} invoices or links to the addresses of their customers. No money moves.', { count: rows.length }),
    reason: ({ status, customer }) => {
      if (status === 'paid' || status === 'cancelled') return t('nothing is due');
      return customer?.email ? undefined : t('no email address');
    },
    run: async ({ invoiceId, customer }) => {
      const recipient = customer?.email ?? '';
      const { delivery } = await sendInvoice(invoiceId, { sendVia: ['email'], email: recipient });
      return delivery ? sendingResult(delivery, recipient) : undefined;
    },
    onDone: () => void refreshInvoices(),
  },
];

/** Lists of invoices and payment links with a detail drawer. */
export function InvoiceLists({ openId }: { openId: string | undefined }) {
  const merchant = useMerchant();
  const may = useMay();
  const navigate = useNavigate();
  const now = useCurrentTime();
  const view = useView();
  const [isLinkOpen, setLinkOpen] = useState(false);
  const filter = { ...view, ...datesOf(view, now.today) };
  const list = useQuery(invoicesQuery(merchant.merchantId, filter));
  const totals = useQuery(totalsQuery(merchant.merchantId, filter));
  const summary = useQuery(summaryQuery(merchant.merchantId));
  const { today, nowMs } = now;
  const columns = useMemo(() => columnsFor(view.tab, merchant, { today, nowMs }), [view.tab, merchant, today, nowMs]);
  const canWrite = may('invoices:write');
  const canInvoice = canWrite && may('customers:read');
  const { search } = view;
  const { open, panel } = useRecordAddress('/invoices', search);
  const openNew = () => void navigate({ pathname: '/invoices/new', search });
  const openLink = () => setLinkOpen(true);

  return (
    <Screen
      title={t('Invoices & links')}
      fillsHeight
      subtitle={factsOf(summary.data)}
      actions={
        <PageActions
          group={t('Invoices')}
          actions={[
            ...(canInvoice ? [{ keys: 'N', label: t('New invoice'), run: openNew }] : []),
            ...(canWrite ? [{ keys: 'L', label: t('New payment link'), run: openLink }] : []),
          ]}
        >
          <SavedViews />
        </PageActions>
      }
    >
      <ViewBar view={view} />
      {view.tab === 'to_do' && may('settlement:read') && <BankLinesNote merchantId={merchant.merchantId} />}
      {list.data?.items.some(({ isLocalOnly }) => isLocalOnly) && openId === undefined && <LocalOnlyNote isMany />}
      <RecordList
        bulk={canWrite ? SEND : undefined}
        nameOf={nameOf}
        totals={<Totals label={t('Total')} totals={totals.data} />}
        list={view.tab === 'links' ? 'Links' : 'Invoices'}
        leaveOut={LEAVE_OUT}
        query={list}
        label={view.tab === 'links' ? t('Links') : t('Invoices')}
        columns={columns}
        idOf={(row) => row.invoiceId}
        page={view.page}
        sort={{ allowed: SORTS, value: view.sort, onSort: (sort) => view.change({ sort }) }}
        onPage={(page) => view.change({ page })}
        openId={openId}
        onOpen={(row) => open(row.invoiceId)}
        empty={
          <EmptyList
            view={view}
            isFiltered={view.isNarrowed}
            onClear={view.clear}
            onNew={canInvoice ? openNew : undefined}
            onLink={canWrite ? openLink : undefined}
          />
        }
      />
      <RecordPanel label={t('Invoice')} {...panel} openId={openId}>
        {(id, isOpen) => <InvoiceView invoiceId={id} takesFocus={isOpen} search={search} />}
      </RecordPanel>
      {isLinkOpen && (
        <LinkDialog
          onClose={() => setLinkOpen(false)}
          onOpen={(id) => {
            setLinkOpen(false);
            open(id);
          }}
        />
      )}
    </Screen>
  );
}

function datesOf({ created }: View, today: string) {
  const { startDate, endDate } = daysOf(created, today);
  return { startDate, endDate };
}

function factsOf(summary: InvoiceSummary | undefined): string {
  if (summary === undefined) return t('Invoices and payment links');
  const { currency, outstanding, overdue, paidIn30Days } = summary;
  return [
    outstanding.count === 0 ? t('Nothing outstanding') : t('{{amount}} outstanding', { amount: writeMoney(outstanding.amount, currency) }),
    overdue.count === 0 ? t('nothing overdue') : t('{{amount}} overdue', { amount: writeMoney(overdue.amount, currency) }),
    t('{{amount}} paid in full in the last 30 days', { amount: writeMoney(paidIn30Days.amount, currency) }),
  ].join(' · ');
}

interface EmptyListProps {
  readonly view: View;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onNew: (() => void) | undefined;
  readonly onLink: (() => void) | undefined;
}

function EmptyList({ view, isFiltered, onClear, onNew, onLink }: EmptyListProps) {
  if (isFiltered) {
    return (
      <EmptyState title={t('No match')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {view.q === ''
          ? t('Nothing matches these filters.')
          : t('No number, ID or customer matches “{{q}}” with these filters.', { q: view.q })}
      </EmptyState>
    );
  }
  if (view.tab === 'to_do')
    return <EmptyState title={t('Nothing to ask for')}>{t('Overdue invoices and promises for today appear here.')}</EmptyState>;
  if (view.tab === 'links') {
    return (
      <EmptyState title={t('No payment links yet')} action={onLink && <Button onClick={onLink}>{t('New payment link')}</Button>}>
        {t('A payment link is for an amount or a list of items. Anyone with the link can pay by card or bank account, without signing in.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('No invoices yet')} action={onNew && <Button onClick={onNew}>{t('New invoice')}</Button>}>
      {t('Create an invoice and get paid online.')}
    </EmptyState>
  );
}

/** Bank lines without a match, which may pay invoices. Nothing is shown if there are none. */
function BankLinesNote({ merchantId }: { readonly merchantId: string }) {
  const count = useQuery(toDoQuery(merchantId, 'bank_line')).data?.items[0]?.count ?? 0;
  if (count === 0) return null;
  return (
    <Box sx={{ fontSize: 14 }}>
      {t('{{count, number}} bank lines without a match', { count })}.{' '}
      <Link component={RouterLink} to="/reconciliation/bank" underline="always" sx={{ font: 'inherit' }}>
        {t('Match bank lines')}
      </Link>
    </Box>
  );
}
