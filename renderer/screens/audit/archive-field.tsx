import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/language';
import { archivedYearsQuery } from './queries.ts';

interface ArchiveFieldProps {
  readonly year: string | undefined;
  readonly onYear: (year: string | undefined) => void;
}

/** Choice between the entries in the database and an archived year. Absent while nothing is archived. */
export function ArchiveField({ year, onYear }: ArchiveFieldProps) {
  const archived = useQuery(archivedYearsQuery).data ?? [];
  const years = archived.map((each) => String(each.year));
  if (year !== undefined && !years.includes(year)) years.push(year);
  if (years.length === 0) return null;
  return (
    <TextField
      id="audit-archive"
      select
      size="small"
      label={t('Entries')}
      value={year ?? ''}
      onChange={({ target }) => onYear(target.value || undefined)}
      slotProps={{ select: { displayEmpty: true } }}
      sx={{ width: 160 }}
    >
      <MenuItem value="">{t('Not archived')}</MenuItem>
      {years.map((each) => (
        <MenuItem key={each} value={each}>
          {t('Archived: {{year}}', { year: each })}
        </MenuItem>
      ))}
    </TextField>
  );
}
