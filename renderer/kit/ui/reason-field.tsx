import TextField from '@mui/material/TextField';
import { useId } from 'react';
import { t } from '#renderer/base/language';

const LENGTH_MAX = 200;

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly autoFocus?: boolean;
}

/** Reason for an operation, for people who read it later. */
export function ReasonField({ value, onChange, autoFocus }: ReasonFieldProps) {
  return (
    <TextField
      id={useId()}
      label={t('Reason (optional)')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoFocus={autoFocus}
      slotProps={{ htmlInput: { maxLength: LENGTH_MAX, autoComplete: 'off' } }}
    />
  );
}
