import { Unplug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { outageTexts, useOutage } from '#renderer/connectivity';
import { t } from '#renderer/language';
import { useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { announce, Banner } from '#renderer/ui';

/** Interval at which the text is checked for a new day. */
const DAY_CHECK_MS = 60_000;

/** Says on every screen that no gateway takes payments, since when, and what still works. */
export function OutageBanner() {
  const outage = useOutage();
  const { merchantId, timezone } = useMerchant();
  const nowMs = useTenantNow(DAY_CHECK_MS);
  const texts = outage && outageTexts(outage, timezone, nowMs);
  const text = texts && `${texts.cause} ${texts.stopped} ${texts.goesOn}`;
  const known = useRef({ merchantId, text });
  useEffect(() => {
    const before = known.current.merchantId === merchantId ? known.current.text : null;
    if (text !== null && text !== before) announce(text);
    else if (text === null && before !== null) announce(t('The connection is back. Cards can be charged again.'));
    known.current = { merchantId, text };
  }, [merchantId, text]);
  if (text === null) return null;
  return (
    <Banner icon={Unplug} tone="error">
      {text}
    </Banner>
  );
}
