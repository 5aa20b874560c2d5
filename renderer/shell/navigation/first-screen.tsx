import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigation } from 'react-router';
import { api, takeData } from '#renderer/base/client';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { TO_DO_PATH } from './pages.ts';

/** Days of a month in which bookkeepers close the month before. */
const CLOSING_DAYS = 5;

/**
 * Opens the screen on which a role starts: Sell for the front desk, Webhooks for developers, and Home for the others. Bookkeepers start with To do
 * in the first days of a month, while the month before is open. An address that is opened meanwhile, such as a link of the desktop application,
 * takes precedence.
 */
export function FirstScreen() {
  const may = useMay();
  const { state } = useNavigation();
  const { merchantId } = useMerchant();
  const [, month = '', day = ''] = /^(\d{4}-\d{2})-(\d{2})$/.exec(useToday()) ?? [];
  const keepsBooks = may('settlement:write') && !may('transactions:write');
  const isClosingTime = keepsBooks && Number(day) <= CLOSING_DAYS;
  const lastMonth = useQuery({
    queryKey: ['settlement', 'close', 'last-month', merchantId, month],
    queryFn: () => {
      const query = { merchantId, month: monthBefore(month) };
      return takeData(api.GET('/api/v1/settlement/close', { params: { query } }));
    },
    enabled: isClosingTime,
    retry: false,
  });
  if (state !== 'idle' || (isClosingTime && lastMonth.isPending)) return null;
  if (isClosingTime && lastMonth.data?.closed === false) return <Navigate to={TO_DO_PATH} replace />;
  if (may('reporting:read')) return <Navigate to="/home" replace />;
  return <Navigate to={!may('transactions:write') && may('webhooks:read') ? '/webhooks' : '/sell'} replace />;
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}
