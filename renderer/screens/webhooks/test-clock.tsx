import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type ClockMoved, queryClient, takeData } from '#renderer/client';
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

const RAN_WORDS: Readonly<Record<keyof ClockMoved['ran'], string>> = {
  webhooks: 'deliveries',
  refundRetries: 'refund tries',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  settlements: 'settlements',
  expirations: 'expired authorizations',
};

/** The sandbox account's own time, which can be moved ahead; everything due in between happens immediately. */
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
      const words = ranInWords(moved.ran);
      setRan(words);
      announce(words);
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
        <Box role="group" aria-label="Set it ahead by" sx={{ display: 'flex', gap: 1 }}>
          {STEPS.map(({ name, seconds }) => (
            <Button key={name} size="small" disabled={move.isPending} onClick={() => move.mutate(seconds)}>
              +{name}
            </Button>
          ))}
        </Box>
      )}
      <Box sx={{ color: 'text.secondary' }}>{move.isPending ? 'Running what falls due…' : ran}</Box>
      {move.error && <FailureNote failure={move.error} />}
    </Box>
  );
}

function ranInWords(ran: ClockMoved['ran']): string {
  const done = Object.entries(RAN_WORDS).filter(([name]) => ran[name as keyof typeof ran] > 0);
  if (done.length === 0) return 'Nothing fell due.';
  return `Ran ${done.map(([name, words]) => `${ran[name as keyof typeof ran]} ${words}`).join(', ')}.`;
}
