import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { type GatewayHealthReport, gatewayHealthQuery } from '#renderer/base/client';
import { listText, t } from '#renderer/base/language';
import { announce, Banner, useNow } from '#renderer/kit/ui';
import { useOutage } from '#renderer/session/connectivity';
import { useMay, useMerchant } from '#renderer/session/user';
import { findOutages, findRecovered } from './gateway-outages.ts';

const NONE: readonly GatewayHealthReport[] = [];

const NO_IDS: ReadonlySet<string> = new Set();

/** Shows which gateways of the merchant take no payments, and which ones are used instead. */
export function GatewayBanner() {
  const may = useMay();
  const { merchantId, timezone } = useMerchant();
  const { data = NONE } = useQuery({ ...gatewayHealthQuery, enabled: may('transactions:read') });
  const nowMs = useNow(data.some(({ health }) => health.state === 'open'));
  const merchantGateways = useMemo(() => data.filter((gateway) => gateway.merchantId === merchantId), [data, merchantId]);
  // The banner of the outage names the gateways that do not respond.
  const isOutage = useOutage() !== null;
  const outages = findOutages(merchantGateways, timezone, nowMs).filter(({ isRefused }) => isRefused || !isOutage);
  const text = outages.map((outage) => outage.message).join(' ');
  const known = useRef({ merchantId, away: NO_IDS, text: '' });
  useEffect(() => {
    const previous = known.current.merchantId === merchantId ? known.current : { away: NO_IDS, text: '' };
    const { unavailable, names } = findRecovered(previous.away, merchantGateways);
    const announcements = [names.length > 0 && recoveredText(names), text !== previous.text && text].filter(Boolean);
    if (announcements.length > 0) announce(announcements.join(' '));
    known.current = { merchantId, away: unavailable, text };
  }, [merchantGateways, merchantId, text]);
  return outages.map((outage) => (
    <Banner key={outage.gatewayId} icon={Unplug} tone={outage.isRefusing ? 'error' : 'warning'}>
      {outage.message}
    </Banner>
  ));
}

const recoveredText = (gateways: readonly string[]) =>
  gateways.length === 1
    ? t('{{gateway}} responds again.', { gateway: gateways[0] ?? '' })
    : t('{{gateways}} respond again.', { gateways: listText(gateways) });
