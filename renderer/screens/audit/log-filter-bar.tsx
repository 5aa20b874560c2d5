import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ArchiveField, useShortcuts } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { archivedYearsQuery, type LogFilter } from './queries.ts';
import { isFiltered } from './use-log-filter.ts';

interface LogFilterBarProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

const FIELDS = [
  ['actor', t('User'), 152, undefined],
  ['action', t('Action'), 212, t('Such as branding.updated')],
  ['resource', t('Object'), 184, t('Such as users/usr_…')],
  ['requestId', t('Request ID'), 184, undefined],
] as const;
const DAYS = [
  ['startDate', t('From')],
  ['endDate', t('To')],
] as const;
/** Aligned with the fields, below their labels. */
const BUTTON_STYLE = { mt: '20px', height: 40 } as const;

/** Filter of the audit log. Enter applies it to the address. */
export function LogFilterBar({ filter, onFilter }: LogFilterBarProps) {
  const [typed, setTyped] = useState(filter);
  const archived = useQuery(archivedYearsQuery).data ?? [];
  const firstField = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(filter), [filter]);
  useShortcuts(t('Audit log'), [{ keys: '/', label: t('Filter the log'), run: () => firstField.current?.focus() }]);
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
      aria-label={t('Filter')}
      noValidate
      onSubmit={submit}
      sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'flex-start' }}
    >
      {FIELDS.filter(([name]) => name !== 'requestId' || filter.requestId !== undefined).map(([name, label, width, placeholder]) => (
        <TextField
          key={name}
          id={`audit-${name}`}
          size="small"
          label={label}
          placeholder={placeholder}
          value={typed[name] ?? ''}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          inputRef={name === 'actor' ? firstField : undefined}
          sx={{ width }}
          slotProps={{
            htmlInput: { autoComplete: 'off', spellCheck: false, ...(name === 'actor' && { 'aria-keyshortcuts': '/' }) },
          }}
        />
      ))}
      {DAYS.map(([name, label]) => (
        <DateField
          key={name}
          id={`audit-${name}`}
          label={label}
          value={typed[name] ?? ''}
          onChange={(day) => setTyped({ ...typed, [name]: day })}
          error={name === 'endDate' && isBackwards}
          helperText={name === 'endDate' && isBackwards ? t('Before the start date') : undefined}
          sx={{ width: 148 }}
        />
      ))}
      <ArchiveField
        id="audit-archive"
        label={t('Entries')}
        archived={archived.map(({ year }) => year)}
        year={filter.archive}
        onYear={(archive) => onFilter({ ...filter, archive })}
      />
      <Button type="submit" sx={BUTTON_STYLE}>
        {t('Filter', { context: 'action' })}
      </Button>
      {isFiltered(filter) && (
        <Button variant="text" onClick={() => onFilter({})} sx={BUTTON_STYLE}>
          {t('Clear')}
        </Button>
      )}
    </Box>
  );
}
