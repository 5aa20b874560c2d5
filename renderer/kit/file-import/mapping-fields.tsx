import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
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

interface MappingFieldsProps {
  /** Beginning of the IDs of the fields. */
  readonly id: string;
  readonly head: FileHead;
  readonly mapping: FileMapping;
  readonly onChange: (part: Partial<FileMapping>) => void;
  /** Currency of rows without one. */
  readonly currency: string;
  readonly texts: DirectionTexts;
  /** True if missing columns are shown as problems. */
  readonly isChecked: boolean;
}

/** Fields for the dates and the amounts of a file: columns, date format, signs and currency. */
export function MappingFields({ id, head, mapping, onChange, currency, texts, isChecked }: MappingFieldsProps) {
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
