import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type ClockAdvance, queryClient, takeData } from '#renderer/client';
import { useMay, useMe, useMerchant } from '#renderer/session';
import { setTenantTime, useTenantNow } from '#renderer/tenant-clock';
import { announce, exactTime, FailureNote } from '#renderer/ui';

const STEPS = [
  { name: '1 min', seconds: 60 },
  { name: '1 hour', seconds: 3_600 },
  { name: '1 day', seconds: 86_400 },
  { name: '7 days', seconds: 604_800 },
] as const;
const TICK_MS = 1_000;

/** Singular and plural nouns of the operations that the clock triggers. */
const OPERATION_NOUNS: Readonly<Record<keyof ClockAdvance['ran'], readonly [one: string, many: string]>> = {
  webhooks: ['delivery', 'deliveries'],
  refundRetries: ['refund retry', 'refund retries'],
  subscriptions: ['subscription', 'subscriptions'],
  invoices: ['invoice', 'invoices'],
  settlements: ['settlement', 'settlements'],
  expirations: ['authorization expiry', 'authorization expiries'],
};

/** Test clock of a sandbox account. It can be advanced; everything due in between happens immediately. */
export function TestClock() {
  const { timezone } = useMerchant();
  const may = useMay();
  const { user } = useMe();
  const canMove = may('settings:write') && user.merchantId === null;
  const nowMs = useTenantNow(TICK_MS);
  const [ran, setRan] = useState<string>();
  const move = useMutation({
    mutationFn: (advanceSeconds: number) => takeData(api.POST('/api/v1/sandbox/clock', { body: { advanceSeconds } })),
    onSuccess: (moved) => {
      setTenantTime(moved.now);
      const text = ranText(moved.ran);
      setRan(text);
      announce(text);
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Box
      component="section"
      aria-label="Test clock"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 2.5,
        fontSize: 13,
        border: `1px dashed ${theme.vars.palette.tone.warning.main}`,
        borderRadius: 1,
      })}
    >
      <strong>Test clock</strong>
      <time dateTime={new Date(nowMs).toISOString()} className="figures">
        {exactTime(new Date(nowMs).toISOString(), timezone)}
      </time>
      {canMove && (
        <Box role="group" aria-label="Advance by" sx={{ display: 'flex', gap: 1 }}>
          {STEPS.map(({ name, seconds }) => (
            <Button key={name} size="small" disabled={move.isPending} onClick={() => move.mutate(seconds)}>
              +{name}
            </Button>
          ))}
        </Box>
      )}
      <Box sx={{ color: 'text.secondary' }}>{move.isPending ? 'Running due jobs…' : ran}</Box>
      {move.error && <FailureNote failure={move.error} />}
    </Box>
  );
}

function ranText(ran: ClockAdvance['ran']): string {
  const done = Object.entries(OPERATION_NOUNS).flatMap(([name, [one, many]]) => {
    const count = ran[name as keyof typeof ran];
    return count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  });
  return done.length === 0 ? 'Nothing was due.' : `Ran ${done.join(', ')}.`;
}
