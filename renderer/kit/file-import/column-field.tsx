import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import type { FileHead } from './file-head.ts';

interface ChoiceFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

/** Choice of one of several options, with a hint or a problem below. */
export function ChoiceField({ id, label, value, hint, problem, onChange, children }: ChoiceFieldProps) {
  return (
    <TextField
      id={id}
      select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={problem !== undefined}
      helperText={problem ?? hint}
      slotProps={{ select: { displayEmpty: true } }}
    >
      {children}
    </TextField>
  );
}

/** Returns the name of a column for the screen. Columns without a name are shown with their first text. */
export function columnLabel({ hasHeader, rows }: FileHead, column: string): string {
  return hasHeader ? column : t('Column {{column}}: {{example}}', { column, example: rows[0]?.cells[column] ?? '' });
}

interface ColumnFieldProps extends Omit<ChoiceFieldProps, 'children' | 'problem'> {
  readonly head: FileHead;
  /** Text of the choice of no column; without it, a column has to be chosen. */
  readonly none?: string;
  /** True if a missing column is shown as a problem. */
  readonly isChecked?: boolean;
}

/** Choice of a column of a file. */
export function ColumnField({ head, none, isChecked = false, ...props }: ColumnFieldProps) {
  const isMissing = isChecked && none === undefined && props.value === '';
  return (
    <ChoiceField {...props} problem={isMissing ? t('Choose the column.') : undefined}>
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
      {head.columns.map((name) => (
        <MenuItem key={name} value={name}>
          {columnLabel(head, name)}
        </MenuItem>
      ))}
    </ChoiceField>
  );
}
