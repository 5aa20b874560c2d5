import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { type GatewayStanding, gatewayHealthQuery } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { announce, Banner, useNow } from '#renderer/ui';
import { outagesOf, returnedOf } from './gateway-outages.ts';

const NONE: readonly GatewayStanding[] = [];

const NOBODY: ReadonlySet<string> = new Set();

/** Shows which gateways of the merchant take no payments, and which ones are used instead. */
export function GatewayBanner() {
  const may = useMay();
  const { merchantId, timezone } = useMerchant();
  const { data = NONE } = useQuery({ ...gatewayHealthQuery, enabled: may('transactions:read') });
  const nowMs = useNow(data.some(({ health }) => health.state === 'open'));
  const own = useMemo(() => data.filter((gateway) => gateway.merchantId === merchantId), [data, merchantId]);
  const outages = outagesOf(own, timezone, nowMs);
  const words = outages.map((outage) => outage.words).join(' ');
  const known = useRef({ merchantId, away: NOBODY, words: '' });
  useEffect(() => {
    const before = known.current.merchantId === merchantId ? known.current : { away: NOBODY, words: '' };
    const { away, names } = returnedOf(before.away, own);
    const again = names.length > 0 && `${names.join(' and ')} ${names.length === 1 ? 'answers' : 'answer'} again.`;
    const said = [again, words !== before.words && words].filter(Boolean);
    if (said.length > 0) announce(said.join(' '));
    known.current = { merchantId, away, words };
  }, [own, merchantId, words]);
  return outages.map((outage) => (
    <Banner key={outage.gatewayId} icon={Unplug} tone={outage.isRefusing ? 'error' : 'warning'}>
      {outage.words}
    </Banner>
  ));
}
