import Box from '@mui/material/Box';
import { type Settlement, type SettlementSummary, useMoneyMutation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, ConfirmDialog, FailureNote } from '#renderer/ui';
import { settleNow } from './operations.ts';
import { refreshSettlement } from './queries.ts';
import { counted } from './texts.ts';

interface SettleDialogProps {
  readonly summary: SettlementSummary;
  readonly onSettled: (settlements: readonly Settlement[]) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation: settled payments can no longer be voided. */
export function SettleDialog({ summary: { unsettled, currency, nextCutoffAt }, onSettled, onClose }: SettleDialogProps) {
  const { merchantId } = useMerchant();
  const settling = useMoneyMutation((_: undefined, key) => settleNow(merchantId, key), {
    onSuccess: async (settlements) => {
      await refreshSettlement();
      announce(
        settlements.length === 0
          ? 'There was nothing to settle.'
          : `Settled: ${settlements.map(({ netAmount, currency: netCurrency }) => `${writeMoney(netAmount, netCurrency)} net`).join(' and ')}.`,
      );
      onSettled(settlements);
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
            ? `Nothing to settle in ${currency}. Unsettled payments in other currencies are settled.`
            : `Settles ${counted(unsettled.count, 'line')}, ${writeMoney(unsettled.amount, currency)}: all captures and refunds until now. Fees are deducted.`}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          A settled payment can no longer be voided, only refunded.
          {nextCutoffAt !== null && ' The schedule doesn’t change.'}
        </Box>
        {settling.error && <FailureNote failure={settling.error} />}
      </Box>
    </ConfirmDialog>
  );
}
