import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { type ClipboardEvent, useId, useState } from 'react';

interface ValueListFieldProps {
  readonly id?: string;
  readonly label: string;
  readonly value: readonly string[];
  /** Called with all values, the one that is being typed included, so that it is saved without a further key. */
  readonly onValue: (value: string[]) => void;
  /** Returns the values as the owner of the field writes them. Without it, values stay as they are typed. */
  readonly normalize?: (values: string[]) => readonly string[];
  /** Characters that end a value. */
  readonly separator?: RegExp;
  readonly placeholder?: string;
  readonly help?: string;
  /** Message about an invalid value, in place of the help. */
  readonly fault?: string | undefined;
  readonly isReadOnly?: boolean;
}

interface Typed {
  readonly chips: readonly string[];
  readonly text: string;
}

const trimmed = (values: readonly string[]) => values.map((value) => value.trim()).filter((value) => value !== '');
const valuesOf = ({ chips, text }: Typed) => [...chips, ...trimmed([text])];

/** Field for several short values, each shown as a chip. Enter, a separator and leaving the field end a value; Backspace removes the last one. */
export function ValueListField({
  id,
  label,
  value,
  onValue,
  normalize = (values) => values,
  separator = /[\n,;]/,
  placeholder,
  help,
  fault,
  isReadOnly = false,
}: ValueListFieldProps) {
  const generatedId = useId();
  const [typed, setTyped] = useState<Typed>({ chips: value, text: '' });
  const isCurrent = JSON.stringify(normalize(valuesOf(typed))) === JSON.stringify(value);
  const { chips, text } = isCurrent ? typed : { chips: value, text: '' };
  const change = (next: Typed) => {
    setTyped(next);
    onValue(valuesOf(next));
  };
  const type = (input: string) => {
    const parts = input.split(separator);
    const rest = parts.pop() ?? '';
    change({ chips: [...chips, ...trimmed(parts)], text: rest });
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    // A field of one line would join the lines of a list.
    if (!pasted.includes('\n')) return;
    event.preventDefault();
    type(`${text}${pasted}`);
  };
  return (
    <Autocomplete
      id={id ?? generatedId}
      multiple
      freeSolo
      disableClearable
      options={[]}
      value={[...chips]}
      inputValue={text}
      onInputChange={(_, input, reason) => reason === 'input' && type(input)}
      onChange={(_, next) => change({ chips: trimmed(next), text: '' })}
      onBlur={() => change({ chips: valuesOf({ chips, text }), text: '' })}
      disabled={isReadOnly}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          error={fault !== undefined}
          helperText={fault ?? help}
          placeholder={chips.length === 0 ? placeholder : undefined}
          onPaste={paste}
        />
      )}
    />
  );
}
