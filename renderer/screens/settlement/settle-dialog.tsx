import Box from '@mui/material/Box';
import { type Settlement, type SettlementStanding, useMoneyMutation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, ConfirmDialog, FailureNote } from '#renderer/ui';
import { settleNow } from './operations.ts';
import { refreshSettlement } from './queries.ts';
import { counted } from './words.ts';

interface SettleDialogProps {
  readonly standing: SettlementStanding;
  readonly onSettled: (settlements: readonly Settlement[]) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation: settled payments can no longer be voided. */
export function SettleDialog({ standing: { unsettled, currency, nextCutoffAt }, onSettled, onClose }: SettleDialogProps) {
  const { merchantId } = useMerchant();
  const settling = useMoneyMutation((_: undefined, key) => settleNow(merchantId, key), {
    onSuccess: async (made) => {
      await refreshSettlement();
      announce(
        made.length === 0
          ? 'Nothing was to be settled.'
          : `Settled: ${made.map(({ netAmount, currency: of }) => `${writeMoney(netAmount, of)} net`).join(' and ')}.`,
      );
      onSettled(made);
    },
    onError: () => void refreshSettlement(),
  });
  const isNone = unsettled.count === 0;
  return (
    <ConfirmDialog
      title="Settle now"
      isOpen
      confirmLabel={isNone ? 'Settle' : `Settle ${writeMoney(unsettled.amount, currency)}`}
      isBusy={settling.isPending}
      onConfirm={() => !settling.isPending && settling.mutate(undefined)}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {isNone
            ? `Nothing in ${currency} waits to be settled. What was taken in another currency would be.`
            : `Settles ${counted(unsettled.count, 'line')}, ${writeMoney(unsettled.amount, currency)}, taken and given back until now. Fees are taken off it.`}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          A settled payment can no longer be voided, only refunded.
          {nextCutoffAt !== null && ' The schedule goes on as it is.'}
        </Box>
        {settling.error && <FailureNote failure={settling.error} />}
      </Box>
    </ConfirmDialog>
  );
}
