import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import type { CardForm } from './use-card-form.ts';

/** Attributes of card fields: password managers must not store a customer's card. */
export const NO_STORAGE = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': true,
  'data-form-type': 'other',
} as const;

interface CardFieldsProps {
  /** Beginning of the IDs of the fields. */
  readonly id: string;
  readonly form: CardForm;
  readonly autoFocus?: boolean;
  /** A third field in the row. */
  readonly children?: ReactNode;
}

/** Number and expiry of a card. */
export function CardFields({ id, form, autoFocus = false, children }: CardFieldsProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: children ? '2fr 1fr 1fr' : '2fr 1fr' },
        gap: 3,
        alignItems: 'start',
      }}
    >
      <TextField
        id={`${id}-number`}
        label={t('Card number')}
        autoFocus={autoFocus}
        {...form.bind('number')}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' } }}
        slotProps={{
          htmlInput: { ...NO_STORAGE, inputMode: 'numeric', maxLength: 40 },
          input: {
            endAdornment: (
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
                {form.brand?.name}
              </Box>
            ),
          },
        }}
      />
      <TextField
        id={`${id}-expiry`}
        label={t('Expiry')}
        placeholder={t('MM/YY')}
        {...form.bind('expiry')}
        slotProps={{ htmlInput: { ...NO_STORAGE, inputMode: 'numeric', maxLength: 9 } }}
      />
      {children}
    </Box>
  );
}
