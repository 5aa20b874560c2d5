import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { HistoryEntry, TransactionDetail } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { MoneyText, sentenceCase, statusStyle, TimeText } from '#renderer/ui';

const ACTION_NAMES: Readonly<Record<string, string>> = {
  sale: 'Sale',
  auth: 'Authorization',
  credit: 'Credit',
  capture: 'Capture',
  cancelCapture: 'Capture canceled',
  cancel_capture: 'Capture canceled',
  void: 'Void',
  refund: 'Refund',
};

const RETURNS_MONEY = new Set(['refund', 'credit']);

/** Steps of the transaction: action, actor, time and result. */
export function Timeline({ transaction: { history, currency } }: { transaction: TransactionDetail }) {
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        History
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {history.map((entry, index) => (
          <Step
            key={`${entry.at} ${entry.action} ${entry.processorRef}`}
            entry={entry}
            currency={currency}
            isLast={index === history.length - 1}
          />
        ))}
      </Box>
    </Box>
  );
}

function Step({ entry, currency, isLast }: { entry: HistoryEntry; currency: string; isLast: boolean }) {
  const { timezone } = useMerchant();
  const { tone, icon: Icon, label } = statusStyle(entry.result);
  return (
    <Box component="li" sx={{ display: 'grid', gridTemplateColumns: '24px 1fr auto', columnGap: 3, fontSize: 13 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center' }}>
        <Box
          sx={(theme) => ({
            display: 'grid',
            placeItems: 'center',
            width: 24,
            height: 24,
            borderRadius: '50%',
            color: theme.vars.palette.tone[tone].main,
            backgroundColor: theme.vars.palette.tone[tone].tint,
          })}
        >
          <Icon size={13} strokeWidth={2.25} aria-hidden />
        </Box>
        {!isLast && <Box sx={{ flex: 1, width: '1px', minHeight: 12, backgroundColor: 'divider' }} />}
      </Box>
      <Box sx={{ pb: isLast ? 0 : 3, minWidth: 0 }}>
        <Box sx={{ lineHeight: '24px' }}>
          <strong>{ACTION_NAMES[entry.action] ?? sentenceCase(entry.action)}</strong> {label.toLowerCase()}
          {entry.reason && <Box component="span" sx={{ color: 'text.secondary' }}>{` · ${entry.reason}`}</Box>}
        </Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          <TimeText at={entry.at} timeZone={timezone} /> · {entry.actor}
        </Box>
      </Box>
      <Box sx={{ lineHeight: '24px' }}>
        {entry.amount !== null && <MoneyText amount={RETURNS_MONEY.has(entry.action) ? -entry.amount : entry.amount} currency={currency} />}
      </Box>
    </Box>
  );
}
