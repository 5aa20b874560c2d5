import { Unplug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '#renderer/base/language';
import { announce, Banner } from '#renderer/kit/ui';
import { outageTexts, useOutage } from '#renderer/session/connectivity';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';

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
