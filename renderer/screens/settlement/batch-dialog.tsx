import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchPayout, Settlement } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { FormDialog, QueryContent, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { createBatch, type Period } from './operations.ts';
import { refreshSettlement, unpaidQuery } from './queries.ts';
import { sumOf, unpaidAmount } from './texts.ts';

const DAYS_BEFORE = 29;

interface BatchDialogProps {
  readonly today: string;
  readonly onMade: (batch: BatchPayout) => void;
  readonly onClose: () => void;
}

/** Combines the unpaid settlements of a period into one payout. */
export function BatchDialog({ today, onMade, onClose }: BatchDialogProps) {
  const { merchantId, currency } = useMerchant();
  const [period, setPeriod] = useState<Period>({ startDate: addDays(today, -DAYS_BEFORE), endDate: today });
  const unpaid = useQuery(unpaidQuery(merchantId, currency));
  const creation = useSubmit({
    send: (wanted: Period, key) => createBatch({ merchantId, currency, ...wanted }, key),
    refreshFirst: refreshSettlement,
    announcement: (batch) =>
      t('Batch created: {{count, number}} settlements, {{amount}}.', {
        count: batch.settlementIds.length,
        amount: writeMoney(batch.netAmount, batch.currency),
      }),
    onDone: onMade,
    onClose,
  });
  const isIncomplete = period.startDate === '' || period.endDate === '';
  const isBackwards = !isIncomplete && period.endDate < period.startDate;
  const bundled = isIncomplete || isBackwards ? [] : (unpaid.data ?? []).filter((row) => isBundled(row, period));
  const net = sumOf(bundled.map(unpaidAmount), currency);
  const isOpen = creation.failure?.isUnconfirmed === true;
  const set = (part: Partial<Period>) => {
    setPeriod({ ...period, ...part });
    creation.reset();
  };
  const submit = () => {
    if (isIncomplete || isBackwards) return;
    if (net > 0) creation.onSubmit(period);
  };
  return (
    <FormDialog
      {...creation}
      title={t('New batch')}
      submitLabel={net > 0 ? t('Create batch of {{amount}}', { amount: writeMoney(net, currency) }) : t('Create batch')}
      isDisabled={net <= 0}
      onSubmit={submit}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t(
            'Combines the unpaid settlements of a period into one payout. The batch goes to the bank tomorrow and is marked as paid the day after, unless you record a different result.',
          )}
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '1fr 1fr', alignItems: 'start' }}>
          <DateField
            id="batch-from"
            label={t('From')}
            autoFocus
            value={period.startDate}
            onChange={(day) => set({ startDate: day })}
            readOnly={isOpen}
          />
          <DateField
            id="batch-to"
            label={t('To')}
            value={period.endDate}
            onChange={(day) => set({ endDate: day })}
            readOnly={isOpen}
            error={isBackwards}
            helperText={isBackwards ? t('Before the start date') : undefined}
          />
        </Box>
        <QueryContent query={unpaid}>
          {() => (
            <Alert severity={net > 0 ? 'info' : 'warning'} data-bundle>
              {net > 0
                ? t('{{count, number}} settlements, {{amount}} after fees.', {
                    count: bundled.length,
                    amount: writeMoney(net, currency),
                  })
                : bundled.length > 0
                  ? t('{{count, number}} settlements in this period, with nothing to pay out.', { count: bundled.length })
                  : t('No unpaid settlements in this period.')}
            </Alert>
          )}
        </QueryContent>
      </Box>
    </FormDialog>
  );
}

/** Returns true if a batch of the period includes a settlement; negative amounts of others are deducted. */
function isBundled(row: Settlement, { startDate, endDate }: Period): boolean {
  const rest = unpaidAmount(row);
  return rest < 0 || (row.paidAmount === 0 && rest > 0 && row.settlementDate >= startDate && row.settlementDate <= endDate);
}
