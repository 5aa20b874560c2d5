import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { locale, t } from '#renderer/base/language';
import { DATE_FORMATS, type DateFormat } from '#shared/file-cells';
import type { Sign } from './cells.ts';
import type { FileHead } from './file-head.ts';
import { fits, formatsOf, type Mapping } from './mapping.ts';
import { type SavedMapping, useSavedMappings } from './saved-mappings.ts';

interface MappingFieldsProps {
  readonly head: FileHead;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  /** Currency of the merchant, for a file without one. */
  readonly currency: string;
  /** Name of the saved mapping in use, or blank. */
  readonly savedName: string;
  readonly onSaved: (saved: SavedMapping | undefined) => void;
  /** True if missing columns are shown as problems. */
  readonly isChecked: boolean;
}

const COLUMNS = [
  ['transactionId', t('Payment or refund'), t('Paydesk’s ID, or the processor’s reference.')],
  ['amount', t('Amount'), undefined],
  ['date', t('Date'), undefined],
] as const;

/** Mapping of a file's columns, and the formats of its dates and amounts. */
export function MappingFields({ head, mapping, onChange, currency, savedName, onSaved, isChecked }: MappingFieldsProps) {
  const { mappings, forget } = useSavedMappings();
  const usable = mappings.filter((saved) => fits(head, saved));
  const formats = formatsOf(head, mapping.date);
  const change = (part: Partial<Mapping>) => onChange({ ...mapping, ...part });
  const chooseDate = (date: string) => change({ date, dateFormat: formatsOf(head, date)[0] ?? mapping.dateFormat });
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: '1fr 1fr 1fr' }, alignItems: 'start' }}>
      {usable.length > 0 && (
        <Box sx={{ gridColumn: '1 / -1', display: 'flex', gap: 2, alignItems: 'flex-end' }}>
          <Choice
            id="import-saved"
            label={t('Saved mapping')}
            value={savedName}
            onChange={(name) => onSaved(usable.find((saved) => saved.name === name))}
          >
            <MenuItem value="">{t('Detected from the file')}</MenuItem>
            {usable.map(({ name }) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </Choice>
          {savedName !== '' && (
            <Button
              variant="text"
              onClick={() => {
                forget(savedName);
                onSaved(undefined);
              }}
            >
              {t('Delete {{mapping}}', { mapping: savedName })}
            </Button>
          )}
        </Box>
      )}
      {COLUMNS.map(([field, label, hint]) => (
        <Choice
          key={field}
          id={`import-${field}`}
          label={label}
          value={mapping[field]}
          problem={isChecked && mapping[field] === '' ? t('Choose the column.') : undefined}
          hint={hint}
          onChange={(name) => (field === 'date' ? chooseDate(name) : change({ [field]: name }))}
        >
          {head.columns.map((name) => (
            <MenuItem key={name} value={name}>
              {name}
            </MenuItem>
          ))}
        </Choice>
      ))}
      <Choice
        id="import-date-format"
        label={t('Date format')}
        value={mapping.dateFormat}
        hint={
          formats.length > 1
            ? t('{{formats}} both match: check the dates below.', { formats: new Intl.ListFormat(locale()).format(formats) })
            : undefined
        }
        onChange={(format) => change({ dateFormat: format as DateFormat })}
      >
        {DATE_FORMATS.map((format) => (
          <MenuItem key={format} value={format}>
            {format}
          </MenuItem>
        ))}
      </Choice>
      <Choice id="import-sign" label={t('Positive amounts are')} value={mapping.sign} onChange={(sign) => change({ sign: sign as Sign })}>
        <MenuItem value="positive">{t('Payments')}</MenuItem>
        <MenuItem value="negative">{t('Refunds')}</MenuItem>
      </Choice>
      <Choice id="import-currency" label={t('Currency')} value={mapping.currency} onChange={(name) => change({ currency: name })}>
        <MenuItem value="">{t('{{currency}} for all rows', { currency })}</MenuItem>
        {head.columns.map((name) => (
          <MenuItem key={name} value={name}>
            {t('Column {{column}}', { column: name })}
          </MenuItem>
        ))}
      </Choice>
    </Box>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ id, label, value, hint, problem, onChange, children }: ChoiceProps) {
  return (
    <TextField
      id={id}
      select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={problem !== undefined}
      helperText={problem ?? hint}
      slotProps={{ select: { displayEmpty: true } }}
    >
      {children}
    </TextField>
  );
}
