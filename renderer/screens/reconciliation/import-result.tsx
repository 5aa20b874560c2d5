import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { SettlementImport } from '#renderer/client';
import { dayText } from '#renderer/ui';

const rowsText = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en-US')} rows`);

/** Result of reading a file, with each rejected line and the reason. */
export function ImportResult({ done: { rows, imported, badRows, badRowCount, startDate, endDate } }: { done: SettlementImport }) {
  const period =
    startDate && endDate ? (startDate === endDate ? ` of ${dayText(startDate)}` : `, ${dayText(startDate)} to ${dayText(endDate)}`) : '';
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      {imported === 0 ? (
        <Alert severity="error">
          {rows > 0 ? `0 of ${rowsText(rows)}` : 'No rows'} could be read, so there’s nothing to compare. Check the chosen columns and the
          date format.
        </Alert>
      ) : badRowCount === 0 ? (
        <Alert severity="success">
          {rowsText(imported)} read{period}.
        </Alert>
      ) : (
        <Alert severity="warning">
          {rowsText(imported)} read{period}. {rowsText(badRowCount)} skipped: compare without {badRowCount === 1 ? 'it' : 'them'}, or
          correct the file and import it again.
        </Alert>
      )}
      {badRows.length > 0 && (
        <Box
          component="ul"
          aria-label="Skipped rows"
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
              <strong>Line {line}:</strong> {reason}
            </li>
          ))}
          {badRowCount > badRows.length && <li>And {(badRowCount - badRows.length).toLocaleString('en-US')} more.</li>}
        </Box>
      )}
    </Box>
  );
}
