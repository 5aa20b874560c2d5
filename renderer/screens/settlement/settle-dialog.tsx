import Box from '@mui/material/Box';
import type { Settlement, SettlementSummary } from '#renderer/base/client';
import { locale, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { ConfirmDialog, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { settleNow } from './operations.ts';
import { refreshSettlement } from './queries.ts';
import { unsettledPartsText } from './texts.ts';

interface SettleDialogProps {
  readonly summary: SettlementSummary;
  readonly onSettled: (settlements: readonly Settlement[]) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation: settled payments can no longer be voided. */
export function SettleDialog({ summary, onSettled, onClose }: SettleDialogProps) {
  const { unsettled, currency, nextCutoffAt } = summary;
  const parts = unsettledPartsText(summary);
  const { merchantId } = useMerchant();
  const settling = useSubmit({
    send: (_, key) => settleNow(merchantId, key),
    refreshFirst: refreshSettlement,
    announcement: (settlements) =>
      settlements.length === 0
        ? t('There was nothing to settle.')
        : t('Settled: {{amounts}}.', {
            amounts: new Intl.ListFormat(locale()).format(
              settlements.map((settlement) => t('{{amount}} net', { amount: writeMoney(settlement.netAmount, settlement.currency) })),
            ),
          }),
    onDone: onSettled,
    onClose,
  });
  const isNone = unsettled.count === 0;
  return (
    <ConfirmDialog
      {...settling}
      title={t('Settle now')}
      isOpen
      submitLabel={isNone ? t('Settle') : t('Settle {{amount}}', { amount: writeMoney(unsettled.amount, currency) })}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {isNone
            ? t('Nothing to settle in {{currency}}. Unsettled payments in other currencies are settled.', { currency })
            : t('Settles {{count, number}} payments, {{amount}}: all captures and refunds until now. Fees are deducted.', {
                count: unsettled.count,
                amount: writeMoney(unsettled.amount, currency),
              })}
          {parts && <Box sx={{ mt: 1 }}>{parts}.</Box>}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('A settled payment can no longer be voided, only refunded.')}
          {nextCutoffAt !== null && ` ${t('The schedule doesn’t change.')}`}
        </Box>
      </Box>
    </ConfirmDialog>
  );
}
