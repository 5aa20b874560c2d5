import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { Link as RouterLink } from 'react-router';
import { addressSchema, oneOf, text, useAddress } from '#renderer/base/address';
import { api, type InstallmentPlan, keptQuery, type Merchant, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { moneyColumn, RecordList, statusColumn, textColumn } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordHeader, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { dayText, EmptyState, QueryContent, Screen, SearchBox, TimeText, useHeadingFocus, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { PlanContent, planQuery } from '#renderer/shared/installments';
import { PAGE_SIZE } from './queries.ts';

const SECTIONS = [
  { id: 'subscriptions', name: t('Subscriptions'), to: '/recurring' },
  { id: 'plans', name: t('Installment plans'), to: '/recurring/installments' },
] as const;

/** Tabs of Recurring: subscriptions, and plans that pay invoices in installments. */
export function SectionTabs({ section }: { section: (typeof SECTIONS)[number]['id'] }) {
  return <TabRow label={t('Subscriptions')} tabs={SECTIONS} value={section} />;
}

const TABS = [
  { id: 'active', name: t('Active', { context: 'plans' }), status: 'active', emptyTitle: t('No active installment plans') },
  { id: 'past-due', name: t('Past due', { context: 'plans' }), status: 'past_due', emptyTitle: t('No past due installment plans') },
  { id: 'paused', name: t('Paused'), status: 'paused', emptyTitle: t('No paused installment plans') },
  { id: 'completed', name: t('Completed', { context: 'plans' }), status: 'completed', emptyTitle: t('No completed installment plans') },
  { id: 'canceled', name: t('Canceled', { context: 'plans' }), status: 'canceled', emptyTitle: t('No canceled installment plans') },
  { id: 'all', name: t('All'), status: undefined, emptyTitle: t('No installment plans yet') },
] as const;

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    TABS[0].id,
  ),
  q: text,
});

function plansQuery(merchantId: string, status: InstallmentPlan['status'] | undefined, q: string, page: number) {
  const query = { merchantId, page, limit: PAGE_SIZE, ...(status && { status }), ...(q !== '' && { q }) };
  return keptQuery(['recurring', 'plans', query], (signal) =>
    takePage(api.GET('/api/v1/installment-plans', { params: { query }, signal })),
  );
}

/** Installment plans, each with its schedule and its actions beside the list. */
export function InstallmentPlansScreen() {
  const merchant = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: installmentPlanId, open, panel } = useRecordAddress('/recurring/installments', search);
  const searchField = useRef<HTMLInputElement>(null);
  const tab = TABS.find(({ id }) => id === values.tab) ?? TABS[0];
  const list = useQuery(plansQuery(merchant.merchantId, tab.status, values.q, values.page));
  const pastDue = useQuery(plansQuery(merchant.merchantId, 'past_due', '', 1)).data?.total ?? 0;
  useShortcuts(t('Installment plans'), [{ keys: '/', label: t('Find by customer'), run: () => searchField.current?.focus() }]);
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  return (
    <Screen
      title={t('Subscriptions')}
      fillsHeight
      subtitle={t('Invoices that customers pay in dated automatic charges.')}
      actions={<SavedViews path="/recurring/installments" />}
    >
      <SectionTabs section="plans" />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
        <TabRow
          label={t('Installment plan lists')}
          areChips
          tabs={TABS.map(({ id, name }) => ({ id, name: id === 'past-due' && pastDue > 0 ? `${name} (${pastDue})` : name }))}
          value={tab.id}
          onChange={(id) => go({ tab: id, q: values.q })}
          sx={{ flex: 1, minWidth: 240 }}
        />
        <SearchBox
          label={t('Search by customer')}
          placeholder={t('Customer')}
          widthPx={240}
          value={values.q}
          inputRef={searchField}
          onSearch={(q) => go({ tab: tab.id, q })}
        />
      </Box>
      <RecordList
        list="Installment plans"
        query={list}
        label={t('Installment plans')}
        columns={columns}
        idOf={(row) => row.installmentPlanId}
        page={values.page}
        onPage={(page) => go({ ...values, page })}
        openId={installmentPlanId}
        onOpen={(row) => open(row.installmentPlanId)}
        empty={
          values.q === '' ? (
            <EmptyState title={tab.emptyTitle}>{t('To start one, open an invoice and select Pay in installments.')}</EmptyState>
          ) : (
            <EmptyState title={t('No match')} action={<Button onClick={() => go({ tab: tab.id })}>{t('Clear search')}</Button>}>
              {t('No customer with an installment plan in this list matches “{{q}}”.', { q: values.q })}
            </EmptyState>
          )
        }
      />
      <RecordPanel label={t('Installment plan')} {...panel}>
        {(id, isOpen) => <PlanView installmentPlanId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

/** A plan with its customer and its invoice. */
function PlanView({ installmentPlanId, takesFocus }: { readonly installmentPlanId: string; readonly takesFocus: boolean }) {
  const query = useQuery(planQuery(installmentPlanId));
  const canOpenInvoice = useMay()('invoices:read');
  const heading = useHeadingFocus(takesFocus);
  return (
    <QueryContent query={query}>
      {(plan) => (
        <Box sx={{ display: 'grid', gap: 5 }}>
          <RecordHeader title={{ amount: plan.amount, currency: plan.currency }} status={plan.status} headingRef={heading}>
            <span>{customerOf(plan)}</span>
          </RecordHeader>
          <PlanContent plan={plan} onPanelClosed={() => heading.current?.focus()} />
          {canOpenInvoice && (
            <Link component={RouterLink} to={`/invoices/${plan.invoiceId}`} sx={{ justifySelf: 'start' }}>
              {t('Open invoice')}
            </Link>
          )}
        </Box>
      )}
    </QueryContent>
  );
}

const customerOf = ({ customer, customerId }: Pick<InstallmentPlan, 'customer' | 'customerId'>) =>
  customer.name ?? customer.email ?? customerId;

function columnsFor({ currency, timezone }: Merchant): GridColDef<InstallmentPlan>[] {
  const shared = { flex: 1, minWidth: 120, sortable: false } as const;
  return [
    textColumn('customer', t('Customer'), { ...shared, flex: 1.4 }, (row) => customerOf(row)),
    statusColumn(shared, (row) => row.status),
    textColumn('paidCount', t('Installments paid'), shared, ({ installments }) =>
      t('{{done, number}} of {{total, number}}', {
        done: installments.filter(({ status }) => status === 'paid').length,
        total: installments.length,
      }),
    ),
    {
      ...shared,
      field: 'next',
      headerName: t('Next charge'),
      renderCell: ({ row }) =>
        row.nextRetryAt !== null ? (
          <TimeText at={row.nextRetryAt} timeZone={timezone} />
        ) : row.status === 'active' && row.nextDueDate !== null ? (
          dayText(row.nextDueDate)
        ) : (
          '–'
        ),
    },
    moneyColumn('amountPaid', t('Paid, {{currency}}', { currency }), shared, currency, (row) => row.amountPaid, {}),
    moneyColumn('amount', t('Total, {{currency}}', { currency }), shared, currency, (row) => row.amount),
  ];
}
