import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { locale, t } from '#renderer/base/language';
import { DATE_FORMATS, type DateFormat } from '#shared/file-cells';
import { ChoiceField, ColumnField } from './column-field.tsx';
import type { FileHead } from './file-head.ts';
import { type AmountLayout, type FileMapping, formatsOf, type Sign } from './mapping.ts';

/** Texts for the two directions of money. */
export interface DirectionTexts {
  /** Options of "Positive amounts are": for positive and for negative credits. */
  readonly positive: string;
  readonly negative: string;
  readonly credit: string;
  readonly debit: string;
  readonly debitValues: string;
}

/** Choice of a saved mapping that fits the file. */
export interface SavedChoice {
  readonly label: string;
  readonly names: readonly string[];
  /** Name of the mapping in use, or blank. */
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Deletes a saved mapping, if people can do that. */
  readonly onForget?: (name: string) => void;
}

/** A file and the meaning of its columns, as a form shows and changes it. */
export interface MappingForm<Mapping extends FileMapping = FileMapping> {
  readonly head: FileHead;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  /** Currency of rows without one. */
  readonly currency: string;
  /** True if missing columns are shown as problems. */
  readonly isChecked: boolean;
}

interface MappingFieldsProps<Mapping extends FileMapping> {
  /** Beginning of the IDs of the fields. */
  readonly id: string;
  readonly form: MappingForm<Mapping>;
  readonly texts: DirectionTexts;
  readonly saved: SavedChoice;
  /** Fields before those of dates and amounts. */
  readonly first: ReactNode;
  /** Fields after them. */
  readonly children: ReactNode;
}

/** Form for the columns of a file: saved mappings, and fields for its dates and amounts between those of the import. */
export function MappingFields<Mapping extends FileMapping>({ id, form, texts, saved, first, children }: MappingFieldsProps<Mapping>) {
  const change = (part: Partial<FileMapping>) => form.onChange({ ...form.mapping, ...part });
  const { label, names, value, onChange, onForget } = saved;
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: '1fr 1fr 1fr' }, alignItems: 'start' }}>
      {names.length > 0 && (
        <Box sx={{ gridColumn: '1 / -1', display: 'flex', gap: 2, alignItems: 'flex-end' }}>
          <ChoiceField id={`${id}-saved`} label={label} value={value} onChange={onChange}>
            <MenuItem value="">{t('Detected from the file')}</MenuItem>
            {names.map((name) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </ChoiceField>
          {value !== '' && onForget && (
            <Button variant="text" onClick={() => onForget(value)}>
              {t('Delete {{mapping}}', { mapping: value })}
            </Button>
          )}
        </Box>
      )}
      {first}
      <DateAndAmountFields {...form} id={id} texts={texts} onChange={change} />
      {children}
    </Box>
  );
}

interface DateAndAmountProps extends Omit<MappingForm, 'onChange'>, Pick<MappingFieldsProps<FileMapping>, 'id' | 'texts'> {
  readonly onChange: (part: Partial<FileMapping>) => void;
}

function DateAndAmountFields({ id, head, mapping, onChange, currency, texts, isChecked }: DateAndAmountProps) {
  const { date, dateFormat, amounts, amount, direction, debitValues, credit, debit, sign } = mapping;
  const formats = formatsOf(head, date);
  return (
    <>
      <ColumnField
        id={`${id}-date`}
        label={t('Date')}
        head={head}
        value={date}
        isChecked={isChecked}
        onChange={(name) => onChange({ date: name, dateFormat: formatsOf(head, name)[0] ?? dateFormat })}
      />
      <ChoiceField
        id={`${id}-date-format`}
        label={t('Date format')}
        value={dateFormat}
        hint={
          formats.length > 1
            ? t('{{formats}} both match: check the dates below.', { formats: new Intl.ListFormat(locale()).format(formats) })
            : undefined
        }
        onChange={(format) => onChange({ dateFormat: format as DateFormat })}
      >
        {DATE_FORMATS.map((format) => (
          <MenuItem key={format} value={format}>
            {format}
          </MenuItem>
        ))}
      </ChoiceField>
      <ChoiceField
        id={`${id}-amounts`}
        label={t('Amounts are in')}
        value={amounts}
        onChange={(value) => onChange({ amounts: value as AmountLayout })}
      >
        <MenuItem value="one">{t('One column')}</MenuItem>
        <MenuItem value="direction">{t('One column and its direction')}</MenuItem>
        <MenuItem value="two">{t('Two columns')}</MenuItem>
      </ChoiceField>
      {amounts === 'two' ? (
        <>
          <ColumnField
            id={`${id}-credit`}
            label={texts.credit}
            head={head}
            value={credit}
            {...(debit !== '' && { none: t('None') })}
            isChecked={isChecked}
            onChange={(name) => onChange({ credit: name })}
          />
          <ColumnField
            id={`${id}-debit`}
            label={texts.debit}
            head={head}
            value={debit}
            {...(credit !== '' && { none: t('None') })}
            isChecked={isChecked}
            onChange={(name) => onChange({ debit: name })}
          />
        </>
      ) : (
        <ColumnField
          id={`${id}-amount`}
          label={t('Amount')}
          head={head}
          value={amount}
          isChecked={isChecked}
          onChange={(name) => onChange({ amount: name })}
        />
      )}
      {amounts === 'direction' && (
        <>
          <ColumnField
            id={`${id}-direction`}
            label={t('Direction')}
            head={head}
            value={direction}
            isChecked={isChecked}
            onChange={(name) => onChange({ direction: name })}
          />
          <TextField
            id={`${id}-debit-values`}
            label={texts.debitValues}
            value={debitValues}
            onChange={({ target }) => onChange({ debitValues: target.value })}
            helperText={t('Separated by commas. Blank for the usual words.')}
            slotProps={{ htmlInput: { maxLength: 200, autoComplete: 'off' } }}
          />
        </>
      )}
      <ChoiceField id={`${id}-sign`} label={t('Positive amounts are')} value={sign} onChange={(value) => onChange({ sign: value as Sign })}>
        <MenuItem value="positive">{texts.positive}</MenuItem>
        <MenuItem value="negative">{texts.negative}</MenuItem>
      </ChoiceField>
      <ColumnField
        id={`${id}-currency`}
        label={t('Currency')}
        head={head}
        value={mapping.currency}
        none={t('{{currency}} for all rows', { currency })}
        onChange={(name) => onChange({ currency: name })}
      />
    </>
  );
}
