import Box from '@mui/material/Box';
import { keyLabel } from './shortcuts.tsx';

/** A key beside its action. It is only a reminder: the action also works by mouse and has its own name. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <Box
      component="kbd"
      aria-hidden
      sx={(theme) => ({
        display: 'inline-block',
        minWidth: 18,
        px: 1,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: '4px',
        backgroundColor: theme.vars.palette.background.default,
        color: theme.vars.palette.text.secondary,
        fontFamily: 'inherit',
        fontSize: 12,
        lineHeight: '18px',
        fontWeight: 500,
        textAlign: 'center',
        whiteSpace: 'nowrap',
        '@media (pointer: coarse)': { display: 'none' },
        '.MuiButton-contained &': { color: 'inherit', backgroundColor: 'transparent', borderColor: 'currentColor', opacity: 0.9 },
      })}
    >
      {keyLabel(keys)}
    </Box>
  );
}
