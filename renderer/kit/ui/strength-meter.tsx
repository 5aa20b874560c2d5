import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import type { ToneName } from '#renderer/base/theme';
import type { Strength } from './password-strength.ts';

const STYLES: Readonly<Record<Strength, { readonly filled: number; readonly tone: ToneName; readonly text: string }>> = {
  empty: { filled: 0, tone: 'neutral', text: t('At least 12 characters. Several words in a row are easy to remember.') },
  short: { filled: 1, tone: 'error', text: t('Too short: at least 12 characters.') },
  weak: { filled: 2, tone: 'warning', text: t('Weak: easy to guess. Add unrelated words.') },
  fair: { filled: 3, tone: 'info', text: t('Fair.') },
  strong: { filled: 4, tone: 'success', text: t('Strong.') },
};
const BARS = [1, 2, 3, 4];

/** Strength of a password, as bars and text. */
export function StrengthMeter({ strength, id }: { strength: Strength; id: string }) {
  const { filled, tone, text } = STYLES[strength];
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
        {text}
      </Box>
    </Box>
  );
}
