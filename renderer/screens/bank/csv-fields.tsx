import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { BankMapping } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import {
  ChoiceField,
  ColumnField,
  columnLabel,
  type FileRow,
  MappingFields,
  type MappingForm,
  PREVIEW_ROWS,
  PreviewTable,
  previewCells,
} from '#renderer/kit/file-import';
import type { StatementMapping } from './csv-mapping.ts';

const TEXTS_MAX = 6;

interface CsvFieldsProps {
  readonly form: MappingForm<StatementMapping>;
  /** Reads the file again, with or without a header row. */
  readonly onHeader: (hasHeader: boolean) => void;
  /** Saved mappings that fit the file. */
  readonly saved: readonly BankMapping[];
  readonly savedName: string;
  readonly onSaved: (name: string) => void;
}

/** Meaning of the columns of a bank's CSV file, with its first rows as they are read. */
export function CsvFields({ form, onHeader, saved, savedName, onSaved }: CsvFieldsProps) {
  const { head, mapping, onChange, currency, isChecked } = form;
  const change = (part: Partial<StatementMapping>) => onChange({ ...mapping, ...part });
  const isTextMissing = isChecked && mapping.text.length === 0;
  return (
    <>
      <MappingFields
        id="statement"
        form={form}
        texts={{
          positive: t('Credits'),
          negative: t('Debits'),
          credit: t('Column of credits'),
          debit: t('Column of debits'),
          debitValues: t('Words for debits'),
        }}
        saved={{ label: t('Saved columns'), names: saved.map(({ name }) => name), value: savedName, onChange: onSaved }}
        first={
          <ChoiceField
            id="statement-header"
            label={t('First row')}
            value={head.hasHeader ? 'names' : 'line'}
            onChange={(value) => onHeader(value === 'names')}
          >
            <MenuItem value="names">{t('Names of the columns')}</MenuItem>
            <MenuItem value="line">{t('A line of the account')}</MenuItem>
          </ChoiceField>
        }
      >
        <TextField
          select
          id="statement-text"
          label={t('Text')}
          value={mapping.text}
          error={isTextMissing}
          helperText={isTextMissing ? t('Choose the column.') : t('One or more columns.')}
          onChange={({ target }) => change({ text: [target.value as unknown as string[]].flat().slice(0, TEXTS_MAX) })}
          slotProps={{ select: { multiple: true } }}
        >
          {head.columns.map((name) => (
            <MenuItem key={name} value={name}>
              {columnLabel(head, name)}
            </MenuItem>
          ))}
        </TextField>
        <ColumnField
          id="statement-reference"
          label={t('Reference')}
          head={head}
          value={mapping.reference}
          none={t('None')}
          onChange={(reference) => change({ reference })}
        />
        <ColumnField
          id="statement-balance"
          label={t('Balance')}
          head={head}
          value={mapping.balance}
          none={t('None')}
          hint={t('With it, every line is checked.')}
          onChange={(balance) => change({ balance })}
        />
        <ColumnField
          id="statement-account"
          label={t('Account number')}
          head={head}
          value={mapping.account}
          none={t('None')}
          hint={t('Lines of other accounts are left out.')}
          onChange={(account) => change({ account })}
        />
      </MappingFields>
      <PreviewTable
        columns={[
          { label: t('Date') },
          { label: t('Read as') },
          { label: t('Amount'), isNumber: true },
          { label: t('Read as'), isNumber: true },
          { label: t('Text') },
        ]}
        rows={head.rows.slice(0, PREVIEW_ROWS).map((row) => ({ line: row.line, cells: previewOf(mapping, row, currency) }))}
      />
    </>
  );
}

function previewOf(mapping: StatementMapping, row: FileRow, currency: string) {
  const { date, amount } = previewCells(mapping, row, currency, (minor, code) => {
    if (code !== currency) return { problem: t('{{currency}}, left out', { currency: code }) };
    return minor === null ? null : { text: `${minor > 0 ? '+' : ''}${writeMoney(decimalText(minor, code), code).replace('-', '−')}` };
  });
  return [...date, ...amount, { text: mapping.text.map((column) => row.cells[column] ?? '').join(' ') }];
}
