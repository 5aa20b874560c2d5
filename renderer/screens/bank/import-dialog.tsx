import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, type MerchantBankAccount } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { announce, Dialog, FailureNote, FileDrop } from '#renderer/kit/ui';
import { DATE_FORMATS } from '#shared/file-cells';
import { DoubtfulLines, doubtfulLinesOf } from './doubtful-lines.tsx';
import { type CsvColumns, importStatement, mappingsQuery, refreshBank } from './queries.ts';

const NO_COLUMN = '';

interface ImportDialogProps {
  readonly account: MerchantBankAccount;
  readonly onClose: () => void;
}

/** Imports a bank statement. The service recognizes the format; columns are asked for only if it is CSV. */
export function ImportDialog({ account, onClose }: ImportDialogProps) {
  const mappings = useQuery(mappingsQuery(account.merchantId));
  const [file, setFile] = useState<File>();
  const [mappingName, setMappingName] = useState('');
  const [columns, setColumns] = useState<readonly string[]>();
  const [mapping, setMapping] = useState<CsvColumns>();
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const importing = useMutation({
    mutationFn: importStatement,
    onSuccess: ({ added, repeated, lineCount, skipped }) => {
      void refreshBank();
      announce(
        [
          repeated
            ? t('This statement was imported before. Nothing was added.')
            : t('{{added}} of {{count, number}} lines added from the statement.', { added: numberText(added), count: lineCount }),
          ...skipped.map(({ last4, currency }) =>
            t('Left out of the file: {{account}}.', { account: [last4 === null ? '' : `…${last4}`, currency ?? ''].join(' ').trim() }),
          ),
        ].join(' '),
      );
      onClose();
    },
    onError: (failure) => {
      const found = failure instanceof ApiFailure && failure.details.columns;
      if (!Array.isArray(found)) return;
      setColumns(found as string[]);
      setMapping(guessed(found as string[]));
    },
  });
  const needsColumns = columns !== undefined;
  const choose = (chosen: File) => {
    importing.reset();
    setColumns(undefined);
    setMapping(undefined);
    setFile(chosen);
    submitButton.current?.focus();
  };
  const doubtful = doubtfulLinesOf(importing.error);
  const send = (doubtfulLines?: 'add' | 'skip') => {
    if (file && !importing.isPending) importing.mutate({ bankAccountId: account.bankAccountId, file, mapping, mappingName, doubtfulLines });
  };
  const submit = () => {
    if (!file || importing.isPending) return input.current?.click();
    send(doubtful ? 'add' : undefined);
  };
  const change = (part: Partial<CsvColumns>) => setMapping((current) => current && { ...current, ...part });
  const column = (field: 'date' | 'amount' | 'reference' | 'balance', label: string, isOptional = false) => (
    <TextField
      select
      id={`statement-${field}`}
      label={label}
      value={mapping?.[field] ?? NO_COLUMN}
      onChange={({ target }) => change({ [field]: target.value === NO_COLUMN ? undefined : target.value })}
    >
      {isOptional && <MenuItem value={NO_COLUMN}>{t('None')}</MenuItem>}
      {columns?.map((name) => (
        <MenuItem key={name} value={name}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Dialog
      title={t('Import a bank statement')}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          {doubtful && <Button onClick={() => send('skip')}>{t('Leave out these lines')}</Button>}
          <Button ref={submitButton} type="submit" variant="contained" color="primary" loading={importing.isPending}>
            {doubtful ? t('Add these lines') : file ? t('Import statement') : t('Choose file')}
          </Button>
        </>
      }
    >
      <FileDrop
        label={t('Bank statement')}
        inputRef={input}
        onFile={choose}
        button={
          <Button autoFocus onClick={() => input.current?.click()}>
            {file ? t('Choose another file') : t('Choose file')}
          </Button>
        }
        hint={file?.name ?? t('Or drop a file of your bank here: OFX, QFX, CAMT.053, MT940, BAI2 or CSV.')}
      >
        {needsColumns && (
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '1fr 1fr' }}>
            {column('date', t('Date'))}
            <TextField
              select
              id="statement-date-format"
              label={t('Date format')}
              value={mapping?.dateFormat ?? DATE_FORMATS[0]}
              onChange={({ target }) => change({ dateFormat: target.value })}
            >
              {DATE_FORMATS.map((format) => (
                <MenuItem key={format} value={format}>
                  {format}
                </MenuItem>
              ))}
            </TextField>
            {column('amount', t('Amount'))}
            <TextField
              select
              id="statement-text"
              label={t('Text')}
              value={mapping?.text[0] ?? NO_COLUMN}
              onChange={({ target }) => change({ text: [target.value] })}
            >
              {columns.map((name) => (
                <MenuItem key={name} value={name}>
                  {name}
                </MenuItem>
              ))}
            </TextField>
            {column('reference', t('Reference'), true)}
            {column('balance', t('Balance'), true)}
            <TextField
              id="statement-mapping-name"
              label={t('Save columns as, optional')}
              value={mappingName}
              onChange={({ target }) => setMappingName(target.value)}
              helperText={t('For the next file in this format.')}
              slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
            />
          </Box>
        )}
        {!needsColumns && (mappings.data?.length ?? 0) > 0 && (
          <TextField
            select
            id="statement-saved-mapping"
            label={t('Saved columns, for CSV')}
            value={mappingName}
            onChange={({ target }) => setMappingName(target.value)}
          >
            <MenuItem value="">{t('None')}</MenuItem>
            {mappings.data?.map(({ name }) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </TextField>
        )}
        {doubtful && <DoubtfulLines lines={doubtful} currency={account.currency} />}
        {importing.error && !doubtful && !isColumnQuestion(importing.error) && <FailureNote failure={importing.error} />}
        {needsColumns && isColumnQuestion(importing.error) && (
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {t('This is a CSV file. Check which columns contain the date, the amount and the text.')}
          </Box>
        )}
      </FileDrop>
    </Dialog>
  );
}

const isColumnQuestion = (failure: Error | null) => failure instanceof ApiFailure && Array.isArray(failure.details.columns);

/** Guesses the columns of a CSV file by their names. */
function guessed(columns: readonly string[]): CsvColumns {
  const find = (...names: string[]) => columns.find((column) => names.some((name) => column.toLowerCase().includes(name)));
  const first = columns[0] ?? '';
  const reference = find('reference', 'fitid', 'transaction id');
  const balance = find('balance', 'saldo');
  return {
    date: find('booking date', 'posting', 'date', 'datum') ?? first,
    amount: find('amount', 'betrag') ?? first,
    text: [find('description', 'memo', 'details', 'text', 'payee') ?? first],
    dateFormat: DATE_FORMATS[0],
    ...(reference === undefined ? {} : { reference }),
    ...(balance === undefined ? {} : { balance }),
  };
}
