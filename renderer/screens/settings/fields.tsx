import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { type ReactNode, useId, useState } from 'react';
import { t } from '#renderer/base/language';

interface Common {
  readonly label: string;
  readonly help?: string;
  readonly fault?: string;
  readonly isReadOnly: boolean;
}

/** A heading with fields below it. */
export function Group({ title, children, columns = 1 }: { title: string; children: ReactNode; columns?: 1 | 2 }) {
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ fontSize: 14, fontWeight: 600, mb: 3, p: 0 }}>
        {title}
      </Box>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: columns === 2 ? { xs: '1fr', sm: '1fr 1fr' } : '1fr' }}>{children}</Box>
    </Box>
  );
}

interface TextSettingProps extends Common {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly lines?: number;
  readonly isNumeric?: boolean;
  readonly type?: 'text' | 'email' | 'tel';
  /** Unit shown inside the field, after the text. */
  readonly unit?: string;
}

export function TextSetting({ label, help, fault, isReadOnly, value, onValue, lines, isNumeric, type = 'text', unit }: TextSettingProps) {
  const id = useId();
  return (
    <TextField
      id={id}
      label={label}
      type={type}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      error={fault !== undefined}
      helperText={fault ?? help}
      multiline={lines !== undefined}
      minRows={lines}
      disabled={isReadOnly}
      slotProps={{
        input: { endAdornment: unit === undefined ? undefined : <InputAdornment position="end">{unit}</InputAdornment> },
        htmlInput: { autoComplete: 'off', spellCheck: false, ...(isNumeric && { inputMode: 'decimal' }) },
      }}
    />
  );
}

interface NumberSettingProps extends Common {
  readonly value: number | null;
  /** Called with null for an empty field. */
  readonly onValue: (value: number | null) => void;
  readonly unit?: string;
}

/** An optional number. Unreadable input stays in the field and is not passed to `onValue`. */
export function NumberSetting({ value, onValue, fault, ...field }: NumberSettingProps) {
  const [text, setText] = useState<string>();
  const isUnreadable = text !== undefined && text.trim() !== '' && !Number.isFinite(Number(text));
  const change = (next: string) => {
    setText(next);
    const number = Number(next);
    if (next.trim() === '') onValue(null);
    else if (Number.isFinite(number)) onValue(number);
  };
  const shown =
    text !== undefined && (isUnreadable || Number(text) === value || text.trim() === '') ? text : value === null ? '' : String(value);
  return <TextSetting {...field} isNumeric value={shown} onValue={change} fault={isUnreadable ? t('This is not a number.') : fault} />;
}

interface ChoiceSettingProps<Value extends string> extends Common {
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onValue: (value: Value) => void;
}

export function ChoiceSetting<Value extends string>({
  label,
  help,
  fault,
  isReadOnly,
  value,
  options,
  onValue,
}: ChoiceSettingProps<Value>) {
  const id = useId();
  return (
    <TextField
      id={id}
      select
      label={label}
      value={value}
      onChange={(event) => onValue(event.target.value as Value)}
      error={fault !== undefined}
      helperText={fault ?? help}
      disabled={isReadOnly}
    >
      {options.map(([option, name]) => (
        <MenuItem key={option} value={option}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

interface SwitchSettingProps extends Common {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

export function SwitchSetting({ label, help, fault, isReadOnly, checked, onChecked }: SwitchSettingProps) {
  return (
    <Box>
      <FormControlLabel
        control={<Switch checked={checked} onChange={(_, next) => onChecked(next)} disabled={isReadOnly} />}
        label={label}
      />
      {(fault ?? help) && <FormHelperText error={fault !== undefined}>{fault ?? help}</FormHelperText>}
    </Box>
  );
}

interface CheckboxGroupProps<Value extends string> extends Common {
  readonly value: readonly Value[];
  readonly options: readonly (readonly [Value, string])[];
  readonly onValue: (value: Value[]) => void;
}

/** A group of checkboxes for several options. */
export function CheckboxGroup<Value extends string>({
  label,
  help,
  fault,
  isReadOnly,
  value,
  options,
  onValue,
}: CheckboxGroupProps<Value>) {
  const toggle = (option: Value) =>
    onValue(options.map(([one]) => one).filter((one) => (one === option ? !value.includes(one) : value.includes(one))));
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0 }}>
      <Box component="legend" sx={{ fontSize: 12, color: 'text.secondary', p: 0 }}>
        {label}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
        {options.map(([option, name]) => (
          <FormControlLabel
            key={option}
            control={<Checkbox size="small" checked={value.includes(option)} onChange={() => toggle(option)} disabled={isReadOnly} />}
            label={name}
          />
        ))}
      </Box>
      {(fault ?? help) && <FormHelperText error={fault !== undefined}>{fault ?? help}</FormHelperText>}
    </Box>
  );
}

interface LinesSettingProps extends Common {
  readonly value: readonly string[];
  readonly onValue: (value: string[]) => void;
}

/** A list with one entry per line. */
export function LinesSetting({ value, onValue, ...field }: LinesSettingProps) {
  const [text, setText] = useState<string>();
  const entriesOf = (lines: string) =>
    lines
      .split(/[\n,;]/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const shown = text !== undefined && JSON.stringify(entriesOf(text)) === JSON.stringify(value) ? text : value.join('\n');
  return (
    <TextSetting
      {...field}
      lines={3}
      value={shown}
      onValue={(next) => {
        setText(next);
        onValue(entriesOf(next));
      }}
    />
  );
}
