import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import type { Merchant, QueuedPayment } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { moneyColumn, RecordList, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { actorText, EmptyState, Screen } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { queuedPaymentsQuery, TABS } from './queries.ts';
import { QueuedPaymentView } from './queued-payment-view.tsx';
import { methodText } from './texts.ts';

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    TABS[0].id,
  ),
});
const FIRST_FIELD = 'createdAt';
const LEAVE_OUT = ['createdBy', 'declineReason'];

/** Payments with saved cards and bank accounts that are charged when the gateway answers. */
export function QueuedPaymentsScreen() {
  const merchant = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId, open, panel } = useRecordAddress('/queued-payments', search);
  const tab = TABS.find(({ id }) => id === values.tab) ?? TABS[0];
  const list = useQuery(queuedPaymentsQuery(merchant.merchantId, tab.status, values.page));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  return (
    <Screen
      title={t('Charge later')}
      fillsHeight
      subtitle={t('Payments with saved cards that are charged in order when the gateway answers.')}
      actions={<SavedViews />}
    >
      <TabRow label={t('Charge later')} tabs={TABS} value={tab.id} onChange={(id) => go({ tab: id })} />
      <RecordList
        list="Payments that are charged later"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Payments that are charged later')}
        columns={columns}
        idOf={(row) => row.queuedPaymentId}
        page={values.page}
        onPage={(page) => go({ tab: tab.id, page })}
        openId={openId}
        onOpen={(row) => open(row.queuedPaymentId)}
        empty={
          <EmptyState title={tab.id === 'open' ? t('No open payments') : t('No payments')}>
            {t('During an outage, payments with saved cards are queued on the Sell screen with Charge later.')}
          </EmptyState>
        }
      />
      <RecordPanel label={t('Payment to charge later')} {...panel}>
        {(id, isOpen) => <QueuedPaymentView queuedPaymentId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

function columnsFor({ currency, timezone }: Merchant): GridColDef<QueuedPayment>[] {
  return [
    timeColumn(FIRST_FIELD, t('Queued'), { flex: 1, minWidth: 130, sortable: false }, timezone, (row) => row.createdAt),
    statusColumn({ flex: 0.8, minWidth: 120, sortable: false }, (row) => row.status),
    { field: 'customerName', headerName: t('Customer'), flex: 1.2, minWidth: 120, sortable: false },
    { field: 'method', headerName: t('Card'), flex: 1.2, minWidth: 160, sortable: false, valueGetter: (_, row) => methodText(row) },
    moneyColumn(
      'amount',
      t('Amount, {{currency}}', { currency }),
      { flex: 0.8, minWidth: 120, sortable: false },
      currency,
      (row) => row.amount,
    ),
    textColumn(
      'declineReason',
      t('Decline reason'),
      { flex: 1.2, minWidth: 130, sortable: false },
      ({ declineReason }) => declineReason && serviceText(declineReason),
    ),
    textColumn('createdBy', t('Queued by'), { flex: 1.2, minWidth: 130, sortable: false }, ({ createdBy }) => actorText(createdBy)),
  ];
}
