import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '#renderer/ui';
import type { LogFilter } from './queries.ts';
import { isFiltered } from './use-log-filter.ts';

interface LogFilterBarProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

const FIELDS = [
  ['actor', 'Who', 152],
  ['action', 'Action, such as branding.updated', 212],
  ['resource', 'Thing, such as users/usr_…', 184],
  ['requestId', 'Request id', 184],
] as const;
const DAYS = [
  ['startDate', 'From, UTC day'],
  ['endDate', 'Until, UTC day'],
] as const;
/** Aligned with the fields, below their labels. */
const BESIDE_FIELDS = { mt: '20px', height: 40 } as const;

/** Narrows the log by what an entry says of itself. Enter takes the filter over into the address. */
export function LogFilterBar({ filter, onFilter }: LogFilterBarProps) {
  const [typed, setTyped] = useState(filter);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(filter), [filter]);
  useShortcuts('Audit log', [{ keys: '/', label: 'Filter the log', run: () => first.current?.focus() }]);
  const { startDate = '', endDate = '' } = typed;
  const isBackwards = startDate !== '' && endDate !== '' && endDate < startDate;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards) onFilter(typed);
  };
  return (
    <Box
      component="form"
      role="search"
      aria-label="Filter"
      noValidate
      onSubmit={submit}
      sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'flex-start' }}
    >
      {FIELDS.filter(([name]) => name !== 'requestId' || filter.requestId !== undefined).map(([name, label, width]) => (
        <TextField
          key={name}
          id={`audit-${name}`}
          size="small"
          label={label}
          value={typed[name] ?? ''}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          inputRef={name === 'actor' ? first : undefined}
          sx={{ width }}
          slotProps={{
            htmlInput: { autoComplete: 'off', spellCheck: false, ...(name === 'actor' && { 'aria-keyshortcuts': '/' }) },
          }}
        />
      ))}
      {DAYS.map(([name, label]) => (
        <TextField
          key={name}
          id={`audit-${name}`}
          size="small"
          type="date"
          label={label}
          value={typed[name] ?? ''}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          error={name === 'endDate' && isBackwards}
          helperText={name === 'endDate' && isBackwards ? 'Before the first day' : undefined}
          sx={{ width: 148 }}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      ))}
      <Button type="submit" sx={BESIDE_FIELDS}>
        Filter
      </Button>
      {isFiltered(filter) && (
        <Button variant="text" onClick={() => onFilter({})} sx={BESIDE_FIELDS}>
          Clear
        </Button>
      )}
    </Box>
  );
}
