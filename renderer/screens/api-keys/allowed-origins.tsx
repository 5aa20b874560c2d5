import TextField from '@mui/material/TextField';
import { t } from '#renderer/base/language';

/** Returns the origins of a text with one per line. */
export const originsOf = (text: string): string[] => text.split(/[\s,]+/).filter((origin) => origin !== '');

interface AllowedOriginsFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Message about an invalid origin. */
  readonly fault?: string;
}

/** Field for the origins of web pages that may use a key. */
export function AllowedOriginsField({ value, onValue, fault }: AllowedOriginsFieldProps) {
  return (
    <TextField
      id="key-origins"
      label={t('Allowed origins')}
      multiline
      minRows={2}
      maxRows={6}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      placeholder="https://shop.example"
      error={fault !== undefined}
      helperText={
        fault ??
        t(
          'Pages of these origins may call the SDK surface with the key, one per line. Everyone who opens them can read the key, so limit its permissions and spending.',
        )
      }
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
    />
  );
}
