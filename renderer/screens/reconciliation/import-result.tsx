import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { SettlementImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { dayText } from '#renderer/kit/ui';

/** Result of reading a file, with each rejected line and the reason. */
export function ImportResult({ done: { rows, imported, badRows, badRowCount, startDate, endDate } }: { done: SettlementImport }) {
  const readText = () => {
    if (!startDate || !endDate) return t('{{count, number}} rows read.', { count: imported });
    if (startDate === endDate) return t('{{count, number}} rows read of {{day}}.', { count: imported, day: dayText(startDate) });
    return t('{{count, number}} rows read, {{startDate}} to {{endDate}}.', {
      count: imported,
      startDate: dayText(startDate),
      endDate: dayText(endDate),
    });
  };
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      {imported === 0 ? (
        <Alert severity="error">
          {rows > 0
            ? t('0 of {{count, number}} rows could be read, so there’s nothing to compare.', { count: rows })
            : t('No rows could be read, so there’s nothing to compare.')}{' '}
          {t('Check the chosen columns and the date format.')}
        </Alert>
      ) : badRowCount === 0 ? (
        <Alert severity="success">{readText()}</Alert>
      ) : (
        <Alert severity="warning">
          {readText()}{' '}
          {t('{{count, number}} rows skipped: compare without them, or correct the file and import it again.', { count: badRowCount })}
        </Alert>
      )}
      {badRows.length > 0 && (
        <Box
          component="ul"
          aria-label={t('Skipped rows')}
          tabIndex={0}
          sx={(theme) => ({
            m: 0,
            p: 3,
            listStyle: 'none',
            maxHeight: 240,
            overflowY: 'auto',
            fontSize: 13,
            lineHeight: '22px',
            border: `1px solid ${theme.vars.palette.divider}`,
            borderRadius: 1,
          })}
        >
          {badRows.map(({ line, reason }) => (
            <li key={line}>
              <strong>{t('Line {{line}}:', { line })}</strong> {serviceText(reason)}
            </li>
          ))}
          {badRowCount > badRows.length && <li>{t('And {{count, number}} more.', { count: badRowCount - badRows.length })}</li>}
        </Box>
      )}
    </Box>
  );
}
