import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { ColumnField } from './column-field.tsx';
import type { FileHead } from './file-head.ts';

/** Names of columns by field. A field without a column is absent. */
export type NamedColumns = Readonly<Record<string, string>>;

/** Field that a column of a file fills. */
export interface NamedField<Field extends string = string> {
  readonly field: Field;
  readonly label: string;
  readonly isRequired?: boolean;
}

interface NamedColumnFieldsProps<Field extends string> {
  /** Beginning of the IDs of the fields. */
  readonly id: string;
  readonly fields: readonly NamedField<Field>[];
  readonly head: FileHead;
  readonly mapping: Readonly<Partial<Record<Field, string>>>;
  /** True if missing columns are shown as problems. */
  readonly isChecked?: boolean;
  readonly onChange: (field: Field, column: string) => void;
}

/** Choice of the column of each field of a file. */
export function NamedColumnFields<Field extends string>(props: NamedColumnFieldsProps<Field>) {
  const { id, fields, head, mapping, isChecked = false, onChange } = props;
  const columnOf = (field: Field) => head.columns.find((name) => name === mapping[field]) ?? '';
  return (
    <Box
      role="group"
      aria-label={t('Columns of the file')}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 180px), 1fr))', alignItems: 'start' }}
    >
      {fields.map(({ field, label, isRequired }) => (
        <ColumnField
          key={field}
          id={`${id}-${field}`}
          label={label}
          head={head}
          value={columnOf(field)}
          {...(!isRequired && { none: t('None') })}
          isChecked={isChecked}
          onChange={(column) => onChange(field, column)}
        />
      ))}
    </Box>
  );
}
