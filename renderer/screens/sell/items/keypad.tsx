import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Delete } from 'lucide-react';
import { t } from '#renderer/base/language';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'] as const;
const BUTTON = { minHeight: 64, fontSize: 22, fontWeight: 500, backgroundColor: 'background.paper' } as const;

interface KeypadProps {
  readonly frozen: boolean;
  /** Adds a character to the amount; an empty one removes the last. */
  readonly onKey: (key: string) => void;
}

/** Keys for the amount, for merchants without items. */
export function Keypad({ frozen, onKey }: KeypadProps) {
  return (
    <Box
      role="group"
      aria-label={t('Keypad')}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', maxWidth: 420 }}
    >
      {KEYS.map((key) => (
        <Button key={key} disabled={frozen} onClick={() => onKey(key)} sx={BUTTON}>
          {key}
        </Button>
      ))}
      <Button disabled={frozen} onClick={() => onKey('')} aria-label={t('Delete the last digit')} sx={BUTTON}>
        <Delete size={22} aria-hidden />
      </Button>
    </Box>
  );
}
