import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { FailureNote } from '#renderer/kit/ui';
import { DateStrip } from './date-strip.tsx';
import { DATES_SHOWN } from './queries.ts';
import type { NewSubscriptionEntry } from './use-new-subscription.ts';

/** First dates of the subscription in the form, and whether it is charged immediately. */
export function SubscriptionPreview({ entry, currency }: { entry: NewSubscriptionEntry; currency: string }) {
  const { preview, startDate, today, decimal } = entry;
  const isToday = today !== '' && startDate === today;
  const dates = preview.data;
  return (
    <Box component="section" aria-label={t('Preview')} aria-live="polite" sx={{ display: 'grid', gap: 3 }}>
      {isToday && decimal !== undefined && (
        <Alert severity="warning">{t('Charges {{amount}} now.', { amount: writeMoney(decimal, currency) })}</Alert>
      )}
      {preview.error && dates === undefined ? (
        <FailureNote failure={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <Box sx={{ minHeight: 84, opacity: preview.isPlaceholderData ? 0.6 : 1 }}>
          <Typography variant="h3" sx={{ mb: 2 }}>
            {dates !== undefined && dates.length < DATES_SHOWN ? t('Payment dates until it ends') : t('Payment dates')}
          </Typography>
          {dates !== undefined && <DateStrip label={t('Payment dates')} dates={dates} />}
        </Box>
      )}
    </Box>
  );
}
