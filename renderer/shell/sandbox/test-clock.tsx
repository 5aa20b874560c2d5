import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type ClockAdvance, queryClient, takeData } from '#renderer/base/client';
import { instantOf, localTimeIn, monthLater } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { announce, exactTime, FailureNote } from '#renderer/kit/ui';
import { DateTimeField } from '#renderer/session/date-entry';
import { setTenantTime, useTenantNow } from '#renderer/session/tenant-clock';
import { useIsSandbox, useMay, useMe, useMerchant } from '#renderer/session/user';

const HOUR_MS = 3_600_000;
const TICK_MS = 1_000;

/** Moves of the clock; each returns the new time in a time zone. */
const STEPS: readonly { readonly name: string; readonly from: (nowMs: number, timeZone: string) => number }[] = [
  { name: t('1 min'), from: (nowMs) => nowMs + HOUR_MS / 60 },
  { name: t('1 hour'), from: (nowMs) => nowMs + HOUR_MS },
  { name: t('1 day'), from: (nowMs) => nowMs + 24 * HOUR_MS },
  { name: t('1 week'), from: (nowMs) => nowMs + 7 * 24 * HOUR_MS },
  { name: t('1 month'), from: (nowMs, timeZone) => Math.max(nowMs, instantOf(timeZone, monthLater(localTimeIn(timeZone, nowMs)))) },
];

/** Numbers of the operations that the clock triggers. */
const OPERATIONS: Readonly<Record<keyof ClockAdvance['ran'], (count: number) => string>> = {
  webhooks: (count) => t('{{count, number}} deliveries', { count }),
  refundRetries: (count) => t('{{count, number}} refund retries', { count }),
  subscriptions: (count) => t('{{count, number}} subscriptions', { count }),
  invoices: (count) => t('{{count, number}} invoices', { count }),
  settlements: (count) => t('{{count, number}} settlements', { count }),
  expirations: (count) => t('{{count, number}} authorization expiries', { count }),
};

/** Returns true if the user can see the test clock: only sandbox accounts have one. */
export function useHasTestClock(): boolean {
  const may = useMay();
  return useIsSandbox() && may('settings:read');
}

/** Test clock of a sandbox account: shows the account's time, and moves it ahead. */
export function ClockPanel() {
  const { timezone: timeZone } = useMerchant();
  const nowMs = useTenantNow(TICK_MS);
  const may = useMay();
  const { user } = useMe();
  const canMove = may('settings:write') && user.merchantId === null;
  const [chosen, setChosen] = useState(() => localTimeIn(timeZone, nowMs));
  const [ran, setRan] = useState<string>();
  const move = useMutation({
    mutationFn: (toMs: number) => takeData(api.POST('/api/v1/sandbox/clock', { body: { now: new Date(toMs).toISOString() } })),
    onSuccess: (moved) => {
      setTenantTime(moved.now);
      setChosen(localTimeIn(timeZone, Date.parse(moved.now)));
      const text = ranText(moved.ran);
      setRan(text);
      announce(text);
      void queryClient.invalidateQueries();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== '' && !move.isPending) move.mutate(instantOf(timeZone, chosen));
  };
  return (
    <Box sx={{ display: 'grid', gap: 4, fontSize: 13 }}>
      <Box>
        <Box component="time" dateTime={new Date(nowMs).toISOString()} className="figures" sx={{ fontWeight: 600 }}>
          {exactTime(new Date(nowMs).toISOString(), timeZone)}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>
          {canMove
            ? t('Everything that becomes due until the new time happens immediately. The clock does not move back.')
            : t('Only users of the whole account who can change its settings can move the clock.')}
        </Box>
      </Box>
      {canMove && (
        <>
          <Box role="group" aria-label={t('Advance by')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {STEPS.map(({ name, from }, index) => (
              <Button
                key={name}
                size="small"
                variant="outlined"
                autoFocus={index === 0}
                disabled={move.isPending}
                onClick={() => move.mutate(from(nowMs, timeZone))}
                sx={{ px: 2, minWidth: 0 }}
              >
                +{name}
              </Button>
            ))}
          </Box>
          <Box component="form" onSubmit={onSubmit} sx={{ display: 'flex', alignItems: 'flex-end', gap: 2 }}>
            <DateTimeField id="clock-time" label={t('Date and time')} value={chosen} onChange={setChosen} />
            <Button type="submit" variant="outlined" disabled={chosen === '' || move.isPending} sx={{ flexShrink: 0, height: 40 }}>
              {t('Set time')}
            </Button>
          </Box>
        </>
      )}
      {(move.isPending || ran) && <Box sx={{ color: 'text.secondary' }}>{move.isPending ? t('Running due jobs…') : ran}</Box>}
      {move.error && <FailureNote failure={move.error} />}
    </Box>
  );
}

function ranText(ran: ClockAdvance['ran']): string {
  const done = Object.entries(OPERATIONS).flatMap(([name, textOf]) => {
    const count = ran[name as keyof typeof ran];
    return count > 0 ? [textOf(count)] : [];
  });
  return done.length === 0 ? t('Nothing was due.') : t('Ran {{operations}}.', { operations: done.join(', ') });
}
