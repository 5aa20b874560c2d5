import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type BatchPayout, type Settlement, useMoneyMutation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { Answer, announce, Dialog, FailureNote } from '#renderer/ui';
import { makeBatch, type Period } from './operations.ts';
import { refreshSettlement, unpaidQuery } from './queries.ts';
import { addDays, counted, restOf, sumOf } from './words.ts';

const DAYS_BEFORE = 29;

interface BatchDialogProps {
  readonly today: string;
  readonly onMade: (batch: BatchPayout) => void;
  readonly onClose: () => void;
}

/** Bundles the unpaid settlements of a period into one payout. */
export function BatchDialog({ today, onMade, onClose }: BatchDialogProps) {
  const { merchantId, currency } = useMerchant();
  const [period, setPeriod] = useState<Period>({ startDate: addDays(today, -DAYS_BEFORE), endDate: today });
  const unpaid = useQuery(unpaidQuery(merchantId, currency));
  const making = useMoneyMutation((wanted: Period, key) => makeBatch({ merchantId, currency, ...wanted }, key), {
    onSuccess: async (batch) => {
      await refreshSettlement();
      announce(`A batch of ${counted(batch.settlementIds.length, 'settlement')}, ${writeMoney(batch.netAmount, batch.currency)}, is made.`);
      onMade(batch);
    },
    onError: () => void refreshSettlement(),
  });
  const isUnclear = period.startDate === '' || period.endDate === '';
  const isBackwards = !isUnclear && period.endDate < period.startDate;
  const bundled = isUnclear || isBackwards ? [] : (unpaid.data ?? []).filter((row) => isBundled(row, period));
  const net = sumOf(bundled.map(restOf), currency);
  const isOpen = making.error?.isOpen === true;
  const set = (part: Partial<Period>) => {
    setPeriod({ ...period, ...part });
    making.reset();
  };
  const submit = () => {
    if (making.isPending || isUnclear || isBackwards) return;
    if (net > 0) making.mutate(period);
  };
  return (
    <Dialog
      title="New batch"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={making.isPending} disabled={net <= 0}>
            {net > 0 ? `Bundle ${writeMoney(net, currency)}` : 'Bundle'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          Bundles the settlements dated in a period of which nothing was paid. The batch goes to the bank tomorrow and is paid the day
          after, unless you record what the bank did.
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '1fr 1fr', alignItems: 'start' }}>
          <TextField
            id="batch-from"
            type="date"
            label="From"
            autoFocus
            value={period.startDate}
            onChange={({ target }) => set({ startDate: target.value })}
            slotProps={{ htmlInput: { readOnly: isOpen } }}
          />
          <TextField
            id="batch-to"
            type="date"
            label="To"
            value={period.endDate}
            onChange={({ target }) => set({ endDate: target.value })}
            slotProps={{ htmlInput: { readOnly: isOpen } }}
            error={isBackwards}
            helperText={isBackwards ? 'Before the first day' : undefined}
          />
        </Box>
        <Answer of={unpaid}>
          {() => (
            <Alert severity={net > 0 ? 'info' : 'warning'} data-bundle>
              {net > 0
                ? `${counted(bundled.length, 'settlement')}, ${writeMoney(net, currency)} after fees.`
                : bundled.length > 0
                  ? `${counted(bundled.length, 'settlement')} in these days, which come to nothing to pay.`
                  : 'No unpaid settlement is dated in these days.'}
            </Alert>
          )}
        </Answer>
        {making.error && <FailureNote failure={making.error} />}
      </Box>
    </Dialog>
  );
}

/** Returns true if a batch of the period includes a settlement; negative amounts of others are deducted. */
function isBundled(row: Settlement, { startDate, endDate }: Period): boolean {
  const rest = restOf(row);
  return rest < 0 || (row.paidAmount === 0 && rest > 0 && row.settlementDate >= startDate && row.settlementDate <= endDate);
}
