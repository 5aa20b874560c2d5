import Box from '@mui/material/Box';
import { statusStyle } from './status-styles.ts';

/** A status as icon, label and tint; never color alone. */
export function StatusChip({ state, label }: { state: string; label?: string }) {
  const { tone, icon: Icon, label: defaultLabel } = statusStyle(state);
  return (
    <Box
      component="span"
      data-state={state}
      sx={(theme) => ({
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        height: 22,
        px: 1.5,
        borderRadius: 1,
        fontSize: 12,
        lineHeight: '22px',
        fontWeight: 550,
        whiteSpace: 'nowrap',
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
      })}
    >
      <Icon size={13} strokeWidth={2.25} aria-hidden />
      {label ?? defaultLabel}
    </Box>
  );
}
