import { useEffect, useState } from 'react';
import { t } from '#renderer/base/language';
import { formatDuration } from '#renderer/kit/ui';
import { useTenantClockOffset } from '#renderer/session/tenant-clock';

const TICK_MS = 500;

/** Returns the milliseconds until a time by the account's clock; at least 0. */
export function useRemainingMs(expiresAt: string): number {
  const offset = useTenantClockOffset();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Date.parse(expiresAt) - nowMs - offset);
}

/** Time until a request expires. */
export function Countdown({ expiresAt }: { readonly expiresAt: string }) {
  const remainingMs = useRemainingMs(expiresAt);
  return <span className="tabular">{remainingMs === 0 ? t('expired') : formatDuration(Math.ceil(remainingMs / 1_000) * 1_000)}</span>;
}
