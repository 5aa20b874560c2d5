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
import { SelectField } from '#renderer/kit/ui';

interface Common {
  readonly label: string;
  readonly help?: string;
  readonly fault?: string;
  readonly isReadOnly: boolean;
}

/** A heading with fields below it, or beside it in a wide window. */
export function Group({ title, children, columns = 1 }: { title: string; children: ReactNode; columns?: 1 | 2 }) {
  const titleId = useId();
  return (
    <Box
      role="group"
      aria-labelledby={titleId}
      sx={{
        minWidth: 0,
        display: 'grid',
        columnGap: 6,
        rowGap: 3,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', xl: '240px minmax(0, 1fr)' },
      }}
    >
      <Box id={titleId} sx={{ fontSize: 14, fontWeight: 600 }}>
        {title}
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: columns === 2 ? { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } : 'minmax(0, 1fr)',
        }}
      >
        {children}
      </Box>
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
  /** Example of a value. */
  readonly placeholder?: string;
}

export function TextSetting({
  label,
  help,
  fault,
  isReadOnly,
  value,
  onValue,
  lines,
  isNumeric,
  type = 'text',
  unit,
  placeholder,
}: TextSettingProps) {
  const id = useId();
  return (
    <TextField
      id={id}
      label={label}
      type={type}
      value={value}
      placeholder={placeholder}
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
  /** Text in an empty field. */
  readonly placeholder?: string;
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
      // An option can stand for no value.
      slotProps={{ select: { displayEmpty: true } }}
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
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
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

const DURATION_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const;
type DurationUnit = (typeof DURATION_UNITS)[number];
const SECONDS_OF: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

interface DurationSettingProps extends Common {
  /** Duration in the smallest unit; null if there is none. */
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly smallest: 'seconds' | 'minutes';
  /** Text in an empty field. */
  readonly placeholder?: string;
}

/** A duration in the unit that people would use, such as 24 hours, which can be changed. */
export function DurationSetting({ value, onValue, smallest, ...field }: DurationSettingProps) {
  const [chosen, setChosen] = useState<DurationUnit>();
  const units = DURATION_UNITS.slice(DURATION_UNITS.indexOf(smallest));
  const sizeOf = (unit: DurationUnit) => SECONDS_OF[unit] / SECONDS_OF[smallest];
  // One hour is shown as 60 minutes, so that every unit is a plural.
  const fitting = units.findLast((unit) => value !== null && value % sizeOf(unit) === 0 && value >= 2 * sizeOf(unit));
  const unit = chosen ?? fitting ?? smallest;
  const count = value === null ? null : value / sizeOf(unit);
  const names: Readonly<Record<DurationUnit, string>> = {
    seconds: t('seconds'),
    minutes: t('minutes'),
    hours: t('hours'),
    days: t('days'),
  };
  const changeCount = (next: number | null) => {
    setChosen(unit);
    onValue(next === null ? null : Math.round(next * sizeOf(unit)));
  };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr) 128px',
        alignItems: 'start',
        // The label may reach above the unit.
        '& .MuiInputLabel-root': { overflow: 'visible' },
      }}
    >
      <NumberSetting {...field} value={count} onValue={changeCount} />
      <SelectField
        value={unit}
        options={units.map((each) => [each, names[each]] as const)}
        onChange={(value) => {
          const next = value as DurationUnit;
          setChosen(next);
          if (count !== null) onValue(Math.round(count * sizeOf(next)));
        }}
        disabled={field.isReadOnly}
        slotProps={{ select: { SelectDisplayProps: { 'aria-label': t('Unit of {{name}}', { name: field.label }) } } }}
        sx={{ mt: 5 }}
      />
    </Box>
  );
}
