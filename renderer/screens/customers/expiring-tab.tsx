import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { ADDRESS } from './address.ts';
import { expiringColumns } from './columns.tsx';
import type { TabProps } from './customers-tab.tsx';
import { expiringQuery, PAGE_SIZE } from './queries.ts';
import { useRows } from './rows.ts';
import { EXPIRING_DAYS } from './texts.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['month', 'isDefault'];
const FIRST_FIELD = 'customer';
const NO_ROWS: never[] = [];

/** Cards that are expired or expire soon, the earliest first. */
export function ExpiringTab({ openId, onOpen, ref }: TabProps) {
  const today = useToday();
  const { values, go } = useAddress(ADDRESS);
  const { page } = values;
  const { merchantId } = useMerchant();
  const cards = useQuery(expiringQuery(merchantId, page));
  const columns = useMemo(() => expiringColumns(today), [today]);
  const grid = useGridApiRef();
  useRows({
    ref,
    grid,
    rows: cards.data?.items ?? NO_ROWS,
    idOf: ({ paymentMethodId }) => paymentMethodId,
    customerOf: ({ customerId }) => customerId,
    firstField: FIRST_FIELD,
    openId,
    onOpen,
  });
  return (
    <QueryContent
      query={cards}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyState title={t('No expiring cards')}>
          {t('Cards that expire within {{days}} days appear here.', { days: EXPIRING_DAYS })}
        </EmptyState>
      }
    >
      {(data) => (
        <DataTable
          list="Expiring cards"
          leaveOut={LEAVE_OUT}
          label={t('Expiring cards')}
          apiRef={grid}
          rows={data.items}
          columns={columns}
          getRowId={(row) => row.paymentMethodId}
          getRowClassName={({ row }) => (row.customerId === openId ? 'is-open' : '')}
          total={data.total}
          page={page}
          pageSize={PAGE_SIZE}
          isLoading={cards.isPlaceholderData}
          onPage={(next) => go({ tab: 'expiring', page: next })}
          onOpen={({ customerId }) => onOpen(customerId)}
          empty={null}
        />
      )}
    </QueryContent>
  );
}
