import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { t } from '#renderer/base/language';

interface ArchiveFieldProps {
  readonly id: string;
  readonly label: string;
  /** Archived years, newest first. */
  readonly archived: readonly number[];
  readonly year: string | undefined;
  readonly onYear: (year: string | undefined) => void;
}

/** Choice between the rows in the database and those of an archived year. Absent while nothing is archived. */
export function ArchiveField({ id, label, archived, year, onYear }: ArchiveFieldProps) {
  const years = archived.map(String);
  if (year !== undefined && !years.includes(year)) years.push(year);
  if (years.length === 0) return null;
  return (
    <TextField
      id={id}
      select
      size="small"
      label={label}
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
