import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { t } from '#renderer/base/language';
import { ListFilter } from '#renderer/kit/data-table';
import { ArchiveField, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { DaysChip } from '#renderer/session/date-entry';
import { archivedYearsQuery, type LogFilter } from './queries.ts';
import { isFiltered } from './use-log-filter.ts';

interface LogFilterBarProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

const FIELDS = [
  ['actor', t('User'), 152, t('User')],
  ['action', t('Action'), 232, t('Action, such as branding.updated')],
  ['resource', t('Object'), 212, t('Object, such as users/usr_…')],
  ['requestId', t('Request ID'), 184, t('Request ID')],
] as const;

/** Filter of the audit log, kept in the address. */
export function LogFilterBar({ filter, onFilter }: LogFilterBarProps) {
  const archived = useQuery(archivedYearsQuery).data ?? [];
  const firstField = useRef<HTMLInputElement>(null);
  useShortcuts(t('Audit log'), [{ keys: '/', label: t('Filter the log'), run: () => firstField.current?.focus() }]);
  return (
    <ListFilter isFiltered={isFiltered(filter)} onClear={() => onFilter({})}>
      {FIELDS.filter(([name]) => name !== 'requestId' || filter.requestId !== undefined).map(([name, label, widthPx, placeholder]) => (
        <SearchBox
          key={name}
          label={label}
          placeholder={placeholder}
          widthPx={widthPx}
          value={filter[name] ?? ''}
          {...(name === 'actor' && { inputRef: firstField })}
          onSearch={(text) => onFilter({ ...filter, [name]: text })}
        />
      ))}
      <DaysChip label={t('Period')} value={filter} onChange={({ startDate, endDate }) => onFilter({ ...filter, startDate, endDate })} />
      <ArchiveField
        id="audit-archive"
        label={t('Entries')}
        archived={archived.map(({ year }) => year)}
        year={filter.archive}
        onYear={(archive) => onFilter({ ...filter, archive })}
      />
    </ListFilter>
  );
}
