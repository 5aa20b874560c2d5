import Box from '@mui/material/Box';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, toMinor } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';

/** Total, paid and due amounts, as a bar and in figures. */
export function MoneyBar({ invoice }: { invoice: Invoice }) {
  const { amount, amountPaid, amountPending, amountDue, currency, status } = invoice;
  const totalMinor = toMinor(amount, currency);
  const percentOf = (part: number) => (totalMinor === 0 ? 0 : Math.min(100, (toMinor(part, currency) / totalMinor) * 100));
  const remaining = Number(decimalText(toMinor(amountDue, currency) - toMinor(amountPending, currency), currency));
  const figures = [
    { name: t('Total'), amount },
    { name: t('Paid'), amount: amountPaid },
    ...(amountPending > 0 ? [{ name: t('Pending'), amount: amountPending }] : []),
    { name: t('Remaining'), amount: status === 'cancelled' ? 0 : remaining },
  ];
  return (
    <Box>
      <Box
        aria-hidden
        sx={(theme) => ({
          display: 'flex',
          height: 8,
          borderRadius: 1,
          overflow: 'hidden',
          backgroundColor: theme.vars.palette.tone.neutral.tint,
        })}
      >
        <Box sx={(theme) => ({ width: `${percentOf(amountPaid)}%`, backgroundColor: theme.vars.palette.tone.success.main })} />
        <Box sx={(theme) => ({ width: `${percentOf(amountPending)}%`, backgroundColor: theme.vars.palette.tone.warning.main })} />
      </Box>
      <Box component="dl" sx={{ m: 0, mt: 2, display: 'grid', gridAutoFlow: 'column', justifyContent: 'space-between', columnGap: 3 }}>
        {figures.map(({ name, amount: value }, index) => (
          <Box key={name} sx={{ textAlign: index === 0 ? 'start' : index === figures.length - 1 ? 'end' : 'center' }}>
            <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, fontWeight: 600, fontSize: index === figures.length - 1 ? 16 : 14 }}>
              <MoneyText amount={value} currency={currency} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
