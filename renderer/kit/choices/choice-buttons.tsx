import type { SxProps, Theme } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';

interface ChoiceButtonsProps<Value extends string | number> {
  /** Accessible name. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, name: ReactNode])[];
  /** Null while none is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
  readonly sx?: SxProps<Theme>;
}

/** One of a few values, as buttons side by side. A chosen button stays chosen. */
export function ChoiceButtons<Value extends string | number>(props: ChoiceButtonsProps<Value>) {
  const { label, options, value, onChange, isDisabled = false, sx = {} } = props;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={(_, next: Value | null) => next !== null && onChange(next)}
      sx={sx}
    >
      {options.map(([option, name]) => (
        <ToggleButton key={option} value={option}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
