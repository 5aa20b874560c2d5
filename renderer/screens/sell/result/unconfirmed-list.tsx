import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { StatusChip } from '#renderer/kit/ui';
import { STALE_AFTER_SALE, unconfirmedChargeQuery } from '../charge/queries.ts';
import { type UnconfirmedCharge, useUnconfirmedCharges } from '../charge/unconfirmed-charges.ts';

interface UnconfirmedListProps {
  /** ID of the charge that the screen itself waits for; it is not listed. */
  readonly watchedId: string | null;
  readonly onConfirmed: (charge: UnconfirmedCharge, transaction: Transaction) => void;
}

interface ConfirmedCharge {
  readonly charge: UnconfirmedCharge;
  readonly status: string;
}

/**
 * Watches every unconfirmed charge until its outcome is known. Charges that the clerk no longer waits for are listed, and their outcome
 * stays until it is dismissed.
 */
export function UnconfirmedList({ watchedId, onConfirmed }: UnconfirmedListProps) {
  const open = useUnconfirmedCharges((charges) => charges.open);
  const cache = useQueryClient();
  const [confirmed, setConfirmed] = useState<readonly ConfirmedCharge[]>([]);
  const remove = useUnconfirmedCharges((charges) => charges.remove);
  const onOutcome = (charge: UnconfirmedCharge, transaction: Transaction) => {
    if (!useUnconfirmedCharges.getState().open.includes(charge)) return;
    remove(charge.transactionId);
    for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
    if (charge.transactionId !== watchedId) setConfirmed((before) => [...before, { charge, status: transaction.status }]);
    onConfirmed(charge, transaction);
  };
  const listed = open.filter(({ transactionId }) => transactionId !== watchedId);
  return (
    <>
      {open.map((charge) => (
        <UnconfirmedWatcher key={charge.transactionId} charge={charge} onConfirmed={onOutcome} />
      ))}
      {listed.length + confirmed.length > 0 && (
        <Box component="section" aria-label={t('Unconfirmed charges')} sx={{ display: 'grid', gap: 2 }}>
          {listed.map((charge) => (
            <Line key={charge.transactionId} charge={charge} chip={<StatusChip state="unconfirmed" label={t('Checking')} />} />
          ))}
          {confirmed.map(({ charge, status }) => (
            <Line key={charge.transactionId} charge={charge} chip={<StatusChip state={status} />}>
              <IconButton
                size="small"
                aria-label={t('Dismiss {{methodLabel}}, {{amount}}', { methodLabel: charge.methodLabel, amount: charge.amount })}
                onClick={() => setConfirmed((before) => before.filter((other) => other.charge !== charge))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </Line>
          ))}
        </Box>
      )}
    </>
  );
}

function Line({ charge, chip, children }: { charge: UnconfirmedCharge; chip: ReactNode; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', fontSize: 13, minHeight: 28 }}>
      {chip}
      <Box component="span" sx={{ flex: 1 }}>
        {charge.methodLabel}, {charge.amount} {charge.currency}
      </Box>
      {children}
    </Box>
  );
}

const NOT_FOUND = 404;

function UnconfirmedWatcher({
  charge,
  onConfirmed,
}: {
  charge: UnconfirmedCharge;
  onConfirmed: (charge: UnconfirmedCharge, transaction: Transaction) => void;
}) {
  const { data, error } = useQuery(unconfirmedChargeQuery(charge.transactionId));
  const remove = useUnconfirmedCharges((charges) => charges.remove);
  const isNotFound = error?.status === NOT_FOUND;
  useEffect(() => {
    // Deferred, so that the callback may change the screen and the focus.
    if (data && data.status !== 'pending') queueMicrotask(() => onConfirmed(charge, data));
  }, [data, charge, onConfirmed]);
  // The charge belongs to another account that was signed in to in this tab before.
  useEffect(() => {
    if (isNotFound) remove(charge.transactionId);
  }, [isNotFound, remove, charge]);
  return null;
}
