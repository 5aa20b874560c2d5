import MenuItem from '@mui/material/MenuItem';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import type { ReactNode } from 'react';

interface SelectFieldProps<Value extends string> extends Omit<TextFieldProps, 'select' | 'value' | 'onChange' | 'children'> {
  /** The chosen value; empty if there is none. */
  readonly value: string;
  /** Values with their names, in their order. */
  readonly options: readonly (readonly [value: Value, name: ReactNode, ...rest: unknown[]])[] | Readonly<Record<Value, ReactNode>>;
  readonly onChange: (value: Value) => void;
}

/** Field with a list of values to choose from. */
export function SelectField<Value extends string>({ options, onChange, ...field }: SelectFieldProps<Value>) {
  return (
    <TextField {...field} select onChange={({ target }) => onChange(target.value as Value)}>
      {(isList(options) ? options : Object.entries<ReactNode>(options)).map(([value, name]) => (
        <MenuItem key={value} value={value}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

const isList = <Value extends string>(
  options: SelectFieldProps<Value>['options'],
): options is readonly (readonly [Value, ReactNode, ...unknown[]])[] => Array.isArray(options);
