import TextField from '@mui/material/TextField';

/** Returns the values of a text with one per line. */
export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((line) => line !== '');

interface LineListFieldProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly help: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Message about an invalid value, in place of the help. */
  readonly fault?: string | undefined;
}

/** Field for several values without spaces, one per line. */
export function LineListField({ value, onValue, help, fault, ...field }: LineListFieldProps) {
  return (
    <TextField
      {...field}
      multiline
      minRows={2}
      maxRows={6}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      error={fault !== undefined}
      helperText={fault ?? help}
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
    />
  );
}
