import Box from '@mui/material/Box';
import type { ToneName } from '#renderer/theme';
import type { Strength } from './password-strength.ts';

const LOOKS: Readonly<Record<Strength, { readonly filled: number; readonly tone: ToneName; readonly words: string }>> = {
  empty: { filled: 0, tone: 'neutral', words: 'At least 12 characters. A few words in a row are easy to keep in mind.' },
  short: { filled: 1, tone: 'error', words: 'Too short: at least 12 characters.' },
  weak: { filled: 2, tone: 'warning', words: 'Weak: easy to guess. Add words that nobody would expect.' },
  fair: { filled: 3, tone: 'info', words: 'Fair.' },
  strong: { filled: 4, tone: 'success', words: 'Strong.' },
};
const BARS = [1, 2, 3, 4];

/** Strength of a password, as bars and text. */
export function StrengthMeter({ strength, id }: { strength: Strength; id: string }) {
  const { filled, tone, words } = LOOKS[strength];
  return (
    <Box>
      <Box aria-hidden sx={{ display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 1, mb: 1.5 }}>
        {BARS.map((bar) => (
          <Box
            key={bar}
            sx={(theme) => ({
              height: 4,
              borderRadius: 2,
              backgroundColor: bar <= filled ? theme.vars.palette.tone[tone].main : theme.vars.palette.divider,
            })}
          />
        ))}
      </Box>
      <Box id={id} aria-live="polite" sx={{ fontSize: 12, color: 'text.secondary' }}>
        {words}
      </Box>
    </Box>
  );
}
