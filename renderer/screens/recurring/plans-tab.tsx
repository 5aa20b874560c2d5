import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import { api, type InstallmentPlan, type Merchant, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { RecordList } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { dayText, EmptyState, MoneyText, Screen, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
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
});

function plansQuery(merchantId: string, status: InstallmentPlan['status'] | undefined, page: number) {
  const query = { merchantId, page, limit: PAGE_SIZE, ...(status && { status }) };
  return queryOptions({
    queryKey: ['recurring', 'plans', query],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/installment-plans', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Installment plans. Each opens its invoice, which has the schedule and the actions. */
export function InstallmentPlansScreen() {
  const merchant = useMerchant();
  const navigate = useNavigate();
  const { values, go } = useAddress(ADDRESS);
  const tab = TABS.find(({ id }) => id === values.tab) ?? TABS[0];
  const list = useQuery(plansQuery(merchant.merchantId, tab.status, values.page));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  return (
    <Screen
      title={t('Subscriptions')}
      fillsHeight
      subtitle={t('Invoices that customers pay in dated automatic charges.')}
      actions={<SavedViews path="/recurring/installments" />}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <SectionTabs section="plans" />
        <TabRow label={t('Installment plan lists')} areChips tabs={TABS} value={tab.id} onChange={(id) => go({ tab: id })} />
        <RecordList
          list="Installment plans"
          query={list}
          label={t('Installment plans')}
          columns={columns}
          idOf={(row) => row.installmentPlanId}
          page={values.page}
          onPage={(page) => go({ tab: tab.id, page })}
          onOpen={(row) => void navigate(`/invoices/${row.invoiceId}`)}
          empty={<EmptyState title={tab.emptyTitle}>{t('To start one, open an invoice and select Pay in installments.')}</EmptyState>}
        />
      </Box>
    </Screen>
  );
}

function columnsFor({ currency, timezone }: Merchant): GridColDef<InstallmentPlan>[] {
  const shared = { flex: 1, minWidth: 120, sortable: false } as const;
  const money = { ...shared, align: 'right', headerAlign: 'right' } as const;
  return [
    {
      ...shared,
      field: 'customer',
      headerName: t('Customer'),
      flex: 1.4,
      valueGetter: (_, { customer, customerId }) => customer.name ?? customer.email ?? customerId,
    },
    { ...shared, field: 'status', headerName: t('Status'), renderCell: ({ row }) => <StatusChip state={row.status} /> },
    {
      ...shared,
      field: 'paidCount',
      headerName: t('Installments paid'),
      valueGetter: (_, { installments }) =>
        t('{{done, number}} of {{total, number}}', {
          done: installments.filter(({ status }) => status === 'paid').length,
          total: installments.length,
        }),
    },
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
    {
      ...money,
      field: 'amountPaid',
      headerName: t('Paid, {{currency}}', { currency }),
      renderCell: ({ row }) => <MoneyText amount={row.amountPaid} currency={row.currency} />,
    },
    {
      ...money,
      field: 'amount',
      headerName: t('Total, {{currency}}', { currency }),
      renderCell: ({ row }) => <MoneyText amount={row.amount} currency={row.currency} sx={{ fontWeight: 600 }} />,
    },
  ];
}
