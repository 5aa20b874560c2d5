import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { MerchantBankAccount } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { type FileHead, headOf, isComplete, readFileText } from '#renderer/kit/file-import';
import { FileDrop, FormDialog, useSubmit } from '#renderer/kit/ui';
import { lastFourText } from '#shared/card-brands';
import { formatOf } from '#shared/statement-formats';
import { CsvFields } from './csv-fields.tsx';
import { fits, fromApi, guessStatementMapping, type StatementMapping, toApi } from './csv-mapping.ts';
import { DoubtfulLines, doubtfulLinesOf } from './doubtful-lines.tsx';
import { importStatement, mappingsQuery, refreshBank } from './queries.ts';

const NAME_MAX = 60;

interface ImportDialogProps {
  readonly account: MerchantBankAccount;
  readonly onClose: () => void;
}

interface Chosen {
  readonly file: File;
  /** The beginning of a CSV file; null for any other format, which the service recognizes. */
  readonly head: FileHead | null;
}

/** Imports a bank statement. For CSV, the columns are shown with the first rows as they are read. */
export function ImportDialog({ account, onClose }: ImportDialogProps) {
  const { currency } = account;
  const mappings = useQuery(mappingsQuery(account.merchantId));
  const [chosen, setChosen] = useState<Chosen>();
  const [mapping, setMapping] = useState<StatementMapping>();
  const [savedName, setSavedName] = useState('');
  const [newName, setNewName] = useState('');
  const [isChecked, setChecked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const importing = useSubmit({
    send: importStatement,
    refresh: refreshBank,
    announcement: ({ added, repeated, lineCount, skipped }) =>
      [
        repeated
          ? t('This statement was imported before. Nothing was added.')
          : t('{{added}} of {{count, number}} lines added from the statement.', { added: numberText(added), count: lineCount }),
        ...skipped.map(({ last4, currency: code }) =>
          t('Left out of the file: {{account}}.', { account: [last4 === null ? '' : lastFourText(last4), code ?? ''].join(' ').trim() }),
        ),
      ].join(' '),
    onClose,
  });
  // Focus the next action, so that Enter continues.
  const file = chosen?.file;
  useEffect(() => {
    if (file) submitButton.current?.focus();
  }, [file]);
  const saved = mappings.data?.filter((each) => chosen?.head && fits(chosen.head, each)) ?? [];
  const apply = (head: FileHead, name: string) => {
    const found = mappings.data?.find((each) => each.name === name);
    setSavedName(found?.name ?? '');
    setMapping(found ? fromApi(found.mapping) : guessStatementMapping(head, currency));
  };
  const choose = async (next: File) => {
    const text = await readFileText(next);
    const found = formatOf(text) === 'csv' ? headOf(text) : null;
    const head = found && found.columns.length > 1 ? found : null;
    importing.reset();
    setChecked(false);
    setChosen({ file: next, head });
    if (head) apply(head, mappings.data?.find((each) => fits(head, each))?.name ?? '');
    else setMapping(undefined);
  };
  const doubtful = doubtfulLinesOf(importing.failure);
  const send = (doubtfulLines?: 'add' | 'skip') => {
    if (!chosen) return;
    const { head } = chosen;
    setChecked(true);
    if (head && !(mapping && isComplete(mapping) && mapping.text.length > 0)) return;
    const columns = head && mapping ? { mapping: toApi(head, mapping), mappingName: newName } : {};
    importing.onSubmit({ bankAccountId: account.bankAccountId, file: chosen.file, ...columns, doubtfulLines });
  };
  return (
    <FormDialog
      {...importing}
      failure={doubtful ? null : importing.failure}
      title={t('Import a bank statement')}
      submitLabel={chosen && (doubtful ? t('Add these lines') : t('Import statement'))}
      submitRef={submitButton}
      onSubmit={() => (chosen ? send(doubtful ? 'add' : undefined) : input.current?.click())}
      maxWidth={chosen?.head ? 'md' : 'sm'}
      more={doubtful && <Button onClick={() => send('skip')}>{t('Leave out these lines')}</Button>}
    >
      <FileDrop
        label={t('Bank statement')}
        inputRef={input}
        onFile={(next) => void choose(next)}
        fileName={chosen?.file.name}
        hint={t('Or drop a file of your bank here: OFX, QFX, CAMT.053, MT940, BAI2 or CSV.')}
      >
        {chosen?.head && mapping && (
          <>
            <CsvFields
              form={{
                head: chosen.head,
                mapping,
                onChange: (next) => {
                  importing.reset();
                  setMapping(next);
                },
                currency,
                isChecked,
              }}
              onHeader={(hasHeader) => {
                const head = headOf((chosen.head as FileHead).text, hasHeader);
                if (!head) return;
                importing.reset();
                setChosen({ ...chosen, head });
                apply(head, '');
              }}
              saved={saved}
              savedName={savedName}
              onSaved={(name) => apply(chosen.head as FileHead, name)}
            />
            <TextField
              id="statement-mapping-name"
              label={t('Save columns as (optional)')}
              value={newName}
              onChange={({ target }) => setNewName(target.value)}
              helperText={t('For the next file in this format.')}
              slotProps={{ htmlInput: { maxLength: NAME_MAX, autoComplete: 'off' } }}
            />
          </>
        )}
        {doubtful && <DoubtfulLines lines={doubtful} currency={account.currency} />}
      </FileDrop>
    </FormDialog>
  );
}
