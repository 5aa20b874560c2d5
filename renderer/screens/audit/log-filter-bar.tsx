import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FailureNote, showToast, useShortcuts } from '#renderer/ui';
import { everyEntry, type LogFilter } from './queries.ts';
import { csvOf } from './words.ts';

export interface LogFilterBarProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

const FIELDS = [
  ['actor', 'Who', 190],
  ['action', 'Action, such as branding.updated', 230],
  ['resource', 'Thing, such as transactions/txn_…', 250],
] as const;
const DAYS = [
  ['startDate', 'From'],
  ['endDate', 'Until'],
] as const;

/** Narrows the log by what an entry says of itself. Enter takes the filter over into the address. */
export function LogFilterBar({ filter, onFilter }: LogFilterBarProps) {
  const [typed, setTyped] = useState(filter);
  const first = useRef<HTMLInputElement>(null);
  const written = JSON.stringify(filter);
  useEffect(() => setTyped(JSON.parse(written) as LogFilter), [written]);
  useShortcuts('Audit log', [{ keys: '/', label: 'Filter the log', run: () => first.current?.focus() }]);
  const saving = useMutation({
    mutationFn: () => everyEntry(filter),
    onSuccess: (entries) => {
      save('audit-log.csv', csvOf(entries));
      showToast(`${entries.length} entries saved.`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter(typed);
  };
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Box component="form" onSubmit={submit} aria-label="Filter" sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
      {FIELDS.map(([name, label, width], index) => (
        <TextField
          key={name}
          id={`audit-${name}`}
          label={label}
          value={typed[name] ?? ''}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          inputRef={index === 0 ? first : undefined}
          sx={{ width }}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
        />
      ))}
      {DAYS.map(([name, label]) => (
        <TextField
          key={name}
          id={`audit-${name}`}
          type="date"
          label={label}
          value={typed[name] ?? ''}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          sx={{ width: 152 }}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      ))}
      <Button type="submit" variant="outlined">
        Filter
      </Button>
      {isFiltered && (
        <Button variant="text" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
      <Button variant="text" loading={saving.isPending} onClick={() => saving.mutate()}>
        Save as CSV
      </Button>
      {saving.error && <FailureNote failure={saving.error} />}
    </Box>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
