import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankLine, BatchPayout } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { ConfirmDialog, useSubmit } from '#renderer/kit/ui';
import { batchesOnTheirWayQuery, recordPaid, refreshBank } from './queries.ts';

/** Payouts on their way that a credit names or has the amount of: only a payout that is recorded as paid can be matched. */
export function OnItsWay({ line }: { line: BankLine }) {
  const batches = useQuery(batchesOnTheirWayQuery(line.merchantId, line.currency));
  const text = `${line.text} ${line.reference ?? ''}`;
  const named = batches.data?.filter(({ reference }) => text.includes(reference)) ?? [];
  const found = named.length > 0 ? named : (batches.data?.filter(({ netAmount }) => netAmount === line.remaining) ?? []);
  return found.map((batch) => <Found key={batch.batchId} batch={batch} />);
}

function Found({ batch: { batchId, reference, netAmount, currency } }: { batch: BatchPayout }) {
  const [isAsked, setAsked] = useState(false);
  const texts = { reference, amount: writeMoney(netAmount, currency) };
  const recording = useSubmit({
    send: (_, key) => recordPaid(batchId, key),
    refresh: refreshBank,
    announcement: t('Payout {{reference}} recorded as paid.', texts),
    onClose: () => setAsked(false),
  });
  return (
    <>
      <Alert
        severity="info"
        action={
          <Button size="small" color="inherit" onClick={() => setAsked(true)}>
            {t('Record as paid…')}
          </Button>
        }
      >
        {t('Payout {{reference}} of {{amount}} is on its way. Once it is recorded as paid, it can be matched with this line.', texts)}
      </Alert>
      <ConfirmDialog {...recording} title={t('Record {{reference}} as paid?', texts)} isOpen={isAsked} submitLabel={t('Record as paid')}>
        {t('Records that your bank received {{amount}}. You can’t undo this.', texts)}
      </ConfirmDialog>
    </>
  );
}
