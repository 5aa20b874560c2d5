import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import type { ReactNode } from 'react';

/** A radio option with an explanation, for use in a RadioGroup. */
export function OptionCard({
  value,
  title,
  children,
  autoFocus,
}: {
  value: string;
  title: string;
  children: ReactNode;
  autoFocus?: boolean;
}) {
  return (
    <FormControlLabel
      value={value}
      control={<Radio size="small" autoFocus={autoFocus} sx={{ alignSelf: 'flex-start', mt: -1 }} />}
      label={
        <Box>
          <Box sx={{ fontWeight: 600 }}>{title}</Box>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{children}</Box>
        </Box>
      }
      sx={(theme) => ({
        m: 0,
        p: 3,
        paddingInlineStart: 2,
        gap: 1,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        '&:has(input:checked)': { borderColor: theme.vars.palette.primary.main, backgroundColor: theme.vars.palette.tone.primary.tint },
      })}
    />
  );
}
