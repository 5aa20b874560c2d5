import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';
import { useDesktop } from './desktop.ts';
import { failingEndpoints, newlyFailing } from './failing-endpoints.ts';

const POLL_INTERVAL_MS = 60_000;
const ENDPOINTS_MAX = 100;

/** Notifies about a webhook receiver that has started to fail. A browser tab does not request this. */
export function useFailingWebhookNotice(): void {
  const { isDesktop, notify } = useDesktop();
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['failing-webhooks'],
    queryFn: async () => {
      const { items } = await takePage(api.GET('/api/v1/webhooks', { params: { query: { limit: ENDPOINTS_MAX } } }));
      return failingEndpoints(items);
    },
    enabled: isDesktop && may('webhooks:read'),
    refetchInterval: POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    for (const { id, url, last24Hours } of newlyFailing(known.current, data)) {
      const percent = Math.round((last24Hours.successRate ?? 0) * 100);
      const host = new URL(url).host.slice(0, 80);
      notify({
        title: t('A webhook is failing'),
        body: t('{{host}} accepted {{percent}}% of the deliveries in the last 24 hours.', { host, percent }),
        open: `/webhooks/${id}`,
      });
    }
    known.current = new Set(data.map(({ id }) => id));
  }, [data, notify]);
}
