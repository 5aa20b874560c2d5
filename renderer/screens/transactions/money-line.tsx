import Box from '@mui/material/Box';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText } from '#renderer/kit/ui';
import { isOpenAuthorization, refundableAmountOf } from './status.ts';

/** Authorized, captured, refunded and remaining amounts. */
export function MoneyLine({ transaction }: { transaction: Transaction }) {
  const { status, amount, capturedAmount, refundedAmount, reservedAmount, disputedAmount, currency } = transaction;
  const wasTaken = status === 'approved' || status === 'voided';
  const figures = isOpenAuthorization(transaction)
    ? [
        { name: t('Authorized'), amount },
        { name: t('Captured'), amount: 0 },
        { name: t('Left to capture'), amount },
      ]
    : [
        { name: t('Authorized'), amount: wasTaken ? amount : 0 },
        { name: t('Captured'), amount: capturedAmount },
        { name: t('Refunded'), amount: -refundedAmount },
        ...(reservedAmount > 0 ? [{ name: t('Pending'), amount: -reservedAmount }] : []),
        ...(disputedAmount > 0 ? [{ name: t('Charged back'), amount: -disputedAmount }] : []),
        { name: t('Remaining'), amount: refundableAmountOf(transaction) },
      ];
  return (
    <Box
      component="dl"
      sx={(theme) => ({
        m: 0,
        display: 'grid',
        gridTemplateColumns: `repeat(${figures.length}, 1fr)`,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        '& > div + div': { borderInlineStart: `1px solid ${theme.vars.palette.divider}` },
      })}
    >
      {figures.map(({ name, amount: value }) => (
        <Box key={name} sx={{ px: { xs: 1, sm: 3 }, py: 2, textAlign: 'end' }}>
          <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, fontWeight: 600, fontSize: 14 }}>
            <MoneyText amount={value} currency={currency} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
