import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { RecordList } from '#renderer/kit/data-table';
import { EmptyState } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { ADDRESS } from './address.ts';
import { expiringColumns } from './columns.tsx';
import type { TabProps } from './customers-tab.tsx';
import { expiringQuery } from './queries.ts';
import { EXPIRING_DAYS } from './texts.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['month', 'isDefault'];

/** Cards that are expired or expire soon, the earliest first. */
export function ExpiringTab({ openId, onOpen }: TabProps) {
  const today = useToday();
  const { values, go } = useAddress(ADDRESS);
  const { page } = values;
  const { merchantId } = useMerchant();
  const cards = useQuery(expiringQuery(merchantId, page));
  const columns = useMemo(() => expiringColumns(today), [today]);
  return (
    <RecordList
      list="Expiring cards"
      leaveOut={LEAVE_OUT}
      query={cards}
      label={t('Expiring cards')}
      columns={columns}
      idOf={(row) => row.paymentMethodId}
      page={page}
      onPage={(next) => go({ tab: 'expiring', page: next })}
      recordOf={(row) => row.customerId}
      openId={openId}
      onOpen={({ customerId }) => onOpen(customerId)}
      empty={
        <EmptyState title={t('No expiring cards')}>
          {t('Cards that expire within {{days}} days appear here.', { days: EXPIRING_DAYS })}
        </EmptyState>
      }
    />
  );
}
