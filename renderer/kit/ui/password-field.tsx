import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';

type PasswordFieldProps = Pick<
  TextFieldProps,
  'label' | 'value' | 'error' | 'helperText' | 'autoFocus' | 'inputRef' | 'id' | 'disabled'
> & {
  readonly onValue: (value: string) => void;
  /** Tells password managers whether a password is entered or created. */
  readonly purpose: 'current-password' | 'new-password';
};

/** A password field that allows pasting and password managers, with a button that shows the password. */
export function PasswordField({ onValue, purpose, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      onChange={(event) => onValue(event.target.value)}
      slotProps={{
        htmlInput: { autoComplete: purpose, maxLength: 1024, spellCheck: false, autoCapitalize: 'none' },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                size="small"
                aria-label={isShown ? t('Hide password') : t('Show password')}
                onClick={() => setShown(!isShown)}
                edge="end"
              >
                {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
