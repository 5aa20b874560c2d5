import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { t } from '#renderer/base/language';
import type { CardEntry, CardField } from './use-card-entry.ts';

/** Attributes of card fields: password managers must not store a caller's card. */
const NO_STORAGE = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  inputMode: 'numeric',
  'data-1p-ignore': true,
  'data-lpignore': true,
  'data-form-type': 'other',
} as const;

/** Number, expiry and security code. */
export function CardFields({ entry, asksCode }: { entry: CardEntry; asksCode: boolean }) {
  const { refs, problems, onInput, onBlur } = entry;
  const bound = (field: CardField) => ({
    inputRef: refs[field],
    onInput: onInput(field),
    onBlur: onBlur(field),
    error: problems[field] !== undefined,
    helperText: problems[field],
  });
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: asksCode ? '2fr 1fr 1fr' : '2fr 1fr' },
        gap: 3,
        alignItems: 'start',
      }}
    >
      <TextField
        id="invoice-card-number"
        label={t('Card number')}
        {...bound('number')}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' } }}
        slotProps={{
          htmlInput: { ...NO_STORAGE, maxLength: 40 },
          input: {
            endAdornment: (
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
                {entry.brand}
              </Box>
            ),
          },
        }}
      />
      <TextField
        id="invoice-card-expiry"
        label={t('Expiry')}
        placeholder={t('MM/YY')}
        {...bound('expiry')}
        slotProps={{ htmlInput: { ...NO_STORAGE, maxLength: 9 } }}
      />
      {asksCode && (
        <TextField
          id="invoice-card-code"
          label={t('CVV, {{digits}} digits', { digits: entry.codeDigits })}
          {...bound('code')}
          slotProps={{ htmlInput: { ...NO_STORAGE, maxLength: entry.codeDigits } }}
          sx={{ '& input:not(:focus)': { WebkitTextSecurity: 'disc' } }}
        />
      )}
    </Box>
  );
}
