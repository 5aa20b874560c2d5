import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { disputeSummaryQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMay, useMerchant } from '#renderer/session/user';
import { useDesktop } from './desktop.ts';

const POLL_INTERVAL_MS = 600_000;

/** Notifies when a response to a dispute becomes due within a week. A browser tab does not request this. */
export function useDueDisputeNotice(): void {
  const { isDesktop, notify } = useDesktop();
  const may = useMay();
  const { merchantId } = useMerchant();
  const { data } = useQuery({
    ...disputeSummaryQuery(merchantId),
    enabled: isDesktop && may('disputes:read'),
    refetchInterval: POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });
  const known = useRef(0);
  useEffect(() => {
    if (data === undefined) return;
    const { dueSoonCount } = data;
    if (dueSoonCount > known.current)
      notify({
        title: t('{{count, number}} disputes are due', { count: dueSoonCount }),
        body: t('Submit evidence before the due date, or the payer keeps the money.'),
        open: '/disputes',
      });
    known.current = dueSoonCount;
  }, [data, notify]);
}
