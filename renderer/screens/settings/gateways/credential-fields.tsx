import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { GatewayType } from '#renderer/base/client';
import { locale, serviceText, t } from '#renderer/base/language';
import { Group } from '../fields.tsx';
import type { CredentialField } from './types.ts';

/** Longer than any credential, so that pasted text with additional characters is reported instead of cut. */
const TYPED_MAX = 500;
const LINES_TYPED_MAX = 8_000;
const LINES = { multiline: true, minRows: 3, maxRows: 6 } as const;

interface CredentialFieldsProps {
  readonly type: GatewayType;
  readonly values: Readonly<Record<string, string>>;
  readonly onValue: (name: string, value: string) => void;
  readonly faultOf: (field: string) => string | undefined;
  readonly idOf: (field: string) => string;
  /** Names of saved credentials to remove. */
  readonly dropped: readonly string[];
  readonly onDropped: (names: readonly string[]) => void;
  /** True if credentials are saved; they are requested only to replace them. */
  readonly isKept: boolean;
}

/** Credentials at the processor. Secrets are masked, never filled in, and never shown after saving. */
export function CredentialFields({ type, values, onValue, dropped, onDropped, faultOf, idOf, isKept }: CredentialFieldsProps) {
  const [isReplacing, setReplacing] = useState(false);
  const isRefused = type.credentials.some(({ name }) => faultOf(`credentials.${name}`));
  // The error disappears with the first key press; the fields that it opened stay.
  if (isRefused && !isReplacing) setReplacing(true);
  if (isKept && !isReplacing && !isRefused)
    return (
      <Group title={t('Credentials')}>
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
          <Box sx={{ flex: 1, minWidth: 200, fontSize: 14 }}>
            {t('{{credentials}}: stored encrypted, never shown', {
              credentials: new Intl.ListFormat(locale()).format(
                type.credentials.filter(({ isRequired }) => isRequired).map(({ label }) => serviceText(label)),
              ),
            })}
          </Box>
          <Button variant="outlined" size="small" onClick={() => setReplacing(true)}>
            {t('Replace…')}
          </Button>
        </Box>
      </Group>
    );
  return (
    <Group title={t('Credentials')}>
      {type.credentials.map((field, index) => (
        <Box key={field.name}>
          <Credential
            field={field}
            id={idOf(`credentials.${field.name}`)}
            value={values[field.name] ?? ''}
            onValue={(value) => onValue(field.name, value)}
            fault={faultOf(`credentials.${field.name}`)}
            isKept={isKept}
            autoFocus={isReplacing && index === 0}
          />
          {isKept && !field.isRequired && (
            <FormControlLabel
              control={
                <Checkbox
                  size="small"
                  checked={dropped.includes(field.name)}
                  onChange={(_, isDropped) =>
                    onDropped(isDropped ? [...dropped, field.name] : dropped.filter((name) => name !== field.name))
                  }
                />
              }
              label={t('Remove {{credential}}', { credential: serviceText(field.label) })}
            />
          )}
        </Box>
      ))}
    </Group>
  );
}

interface CredentialProps {
  readonly field: CredentialField;
  readonly id: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault: string | undefined;
  readonly isKept: boolean;
  readonly autoFocus: boolean;
}

function Credential({ field, id, value, onValue, fault, isKept, autoFocus }: CredentialProps) {
  const [isShown, setShown] = useState(false);
  const { isSecret, isRequired, isMultiline } = field;
  const [label, hint] = [serviceText(field.label), serviceText(field.hint)];
  return (
    <TextField
      id={id}
      label={isRequired ? label : t('{{credential}} (optional)', { credential: label })}
      type={isSecret && !isShown ? 'password' : 'text'}
      {...(isMultiline && LINES)}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      autoFocus={autoFocus}
      error={fault !== undefined}
      helperText={fault ?? (isKept ? `${hint} ${t('Leave empty to keep the saved value.')}` : hint)}
      slotProps={{
        htmlInput: {
          className: 'mono',
          autoComplete: isSecret ? 'new-password' : 'off',
          autoCapitalize: 'none',
          spellCheck: false,
          maxLength: isMultiline ? LINES_TYPED_MAX : TYPED_MAX,
        },
        input: isSecret
          ? {
              endAdornment: (
                <InputAdornment position="end">
                  <IconButton
                    size="small"
                    edge="end"
                    aria-label={isShown ? t('Hide {{credential}}', { credential: label }) : t('Show {{credential}}', { credential: label })}
                    onClick={() => setShown(!isShown)}
                  >
                    {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
                  </IconButton>
                </InputAdornment>
              ),
            }
          : {},
      }}
    />
  );
}
