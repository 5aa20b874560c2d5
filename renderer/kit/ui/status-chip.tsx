import Box from '@mui/material/Box';
import type { RecordKind } from './status-labels.ts';
import { statusStyle } from './status-styles.ts';

interface StatusChipProps {
  readonly state: string;
  /** Kind of the record that has the status. */
  readonly of?: RecordKind | undefined;
  readonly label?: string;
}

/** A status as icon, label and tint; never color alone. */
export function StatusChip({ state, of, label }: StatusChipProps) {
  const { tone, icon: Icon, label: defaultLabel } = statusStyle(state, of);
  return (
    <Box
      component="span"
      data-state={state}
      data-tone={tone}
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
