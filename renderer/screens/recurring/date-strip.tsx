import Box from '@mui/material/Box';
import { dayText } from '#renderer/kit/ui';

/** List of upcoming dates in order. */
export function DateStrip({ label, dates }: { label: string; dates: readonly string[] }) {
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, max-content))', gap: 2 }}
    >
      {dates.map((date) => (
        <Box
          component="li"
          key={date}
          className="figures"
          sx={(theme) => ({
            px: 2,
            border: `1px solid ${theme.vars.palette.divider}`,
            borderRadius: 1,
            fontSize: 13,
            lineHeight: '24px',
            whiteSpace: 'nowrap',
            fontVariantNumeric: 'tabular-nums',
          })}
        >
          <time dateTime={date}>{dayText(date)}</time>
        </Box>
      ))}
    </Box>
  );
}
