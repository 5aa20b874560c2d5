import { t } from '#renderer/base/language';
import { SelectField } from './select-field.tsx';

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
    <SelectField
      id={id}
      size="small"
      label={label}
      value={year ?? ''}
      options={[['', t('Not archived')], ...years.map((each) => [each, t('Archived: {{year}}', { year: each })] as const)]}
      onChange={(value) => onYear(value || undefined)}
      slotProps={{ select: { displayEmpty: true } }}
      sx={{ width: 160 }}
    />
  );
}
