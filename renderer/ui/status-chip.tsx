import Box from '@mui/material/Box';
import { lookOf } from './states.ts';

/** A state as sign, word and tint. Never colour alone. */
export function StatusChip({ state, word }: { state: string; word?: string }) {
  const { tone, icon: Icon, word: ownWord } = lookOf(state);
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
      {word ?? ownWord}
    </Box>
  );
}
