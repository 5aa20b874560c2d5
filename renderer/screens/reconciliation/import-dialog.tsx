import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure, api, type Reconciliation, type SettlementImport, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { apiColumns, type FileHead, headOf, isComplete, readFileText } from '#renderer/kit/file-import';
import { dayText, FailureNote, FileDrop, FormDialog } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { ImportResult } from './import-result.tsx';
import { fits, guessMapping, type Mapping } from './mapping.ts';
import { ProcessorFields } from './processor-fields.tsx';
import { compareAgain, type MerchantScope, refreshReconciliation } from './queries.ts';
import { SampleTable } from './sample-table.tsx';
import { type SavedMapping, useSavedMappings } from './saved-mappings.ts';

interface ImportDialogProps {
  readonly merchantScope: MerchantScope;
  /** Default of the day to compare. */
  readonly date: string;
  readonly onClose: () => void;
  readonly onCompared: (report: Reconciliation) => void;
}

interface ChosenFile {
  readonly file: File;
  readonly head: FileHead;
}

const NAME_MAX = 60;

/** Imports a file of the processor and compares a day with it. Unreadable lines are shown first and left out. */
export function ImportDialog({ merchantScope, date, onClose, onCompared }: ImportDialogProps) {
  const { currency } = useMerchant();
  const { mappings, save } = useSavedMappings();
  const [chosen, setChosen] = useState<ChosenFile>();
  const [problem, setProblem] = useState<string>();
  const [mapping, setMapping] = useState<Mapping>();
  const [savedName, setSavedName] = useState('');
  const [newName, setNewName] = useState('');
  const [day, setDay] = useState(date);
  const [isChecked, setChecked] = useState(false);
  const [done, setDone] = useState<SettlementImport>();
  const submit = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);

  const comparing = useMutation({
    mutationFn: (importId: string) => compareAgain({ date: day, merchantId: merchantScope, importId }),
    onSuccess: onCompared,
    onSettled: () => refreshReconciliation(),
  });
  const importing = useMutation({
    mutationFn: (input: { file: File; mapping: Mapping }) => importFile(input.file, input.mapping, merchantScope),
    onSuccess: (imported, input) => {
      const name = newName.trim();
      if (name !== '' && imported.imported > 0) save({ ...input.mapping, name });
      setDone(imported);
      if (imported.badRowCount === 0 && imported.imported > 0) comparing.mutate(imported.importId);
    },
  });
  const isBusy = importing.isPending || comparing.isPending;
  // Focus the next action, so that Enter continues.
  useEffect(() => {
    if ((chosen || done) && !isBusy) submit.current?.focus();
  }, [chosen, done, isBusy]);

  const apply = (saved: SavedMapping | undefined, input: FileHead) => {
    setSavedName(saved?.name ?? '');
    setMapping(saved ?? guessMapping(input, currency));
  };
  const readFile = async (file: File) => {
    const head = headOf(await readFileText(file), true);
    importing.reset();
    setDone(undefined);
    setProblem(
      head ? undefined : t('{{file}} has no header row. Choose a CSV file with column names in the first row.', { file: file.name }),
    );
    setChosen(head ? { file, head } : undefined);
    if (head)
      apply(
        mappings.find((saved) => fits(head, saved)),
        head,
      );
  };
  const earlier = earlierImport(importing.error);
  const isUnusable = done?.imported === 0;
  const importId = done && done.imported > 0 ? done.importId : earlier;
  const send = () => {
    if (importId !== undefined) return comparing.mutate(importId);
    if (!chosen || !mapping) return setProblem(t('Choose a file from the processor.'));
    setChecked(true);
    if (mapping.transactionId !== '' && isComplete(mapping) && day !== '') importing.mutate({ file: chosen.file, mapping });
  };
  return (
    <FormDialog
      title={t('Import a processor file')}
      submitLabel={
        isUnusable || !chosen
          ? undefined
          : importId === undefined
            ? t('Import and compare')
            : t('Compare {{day}}', { day: dayText(day || date) })
      }
      submitRef={submit}
      isBusy={isBusy}
      failure={comparing.error}
      onSubmit={send}
      onClose={onClose}
      maxWidth="md"
      more={
        isUnusable && (
          <Button ref={submit} onClick={() => setDone(undefined)}>
            {t('Change columns')}
          </Button>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {done ? (
          <ImportResult done={done} />
        ) : (
          <FileDrop
            label={t('Processor file')}
            inputRef={input}
            accept=".csv,.txt,.tsv,text/csv"
            fileName={chosen?.file.name}
            hint={t('Or drop a CSV file with a header row here.')}
            problem={problem}
            onFile={(file) => void readFile(file)}
          >
            {chosen && mapping && (
              <>
                <ProcessorFields
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
                  savedName={savedName}
                  onSaved={(saved) => apply(saved, chosen.head)}
                />
                <SampleTable head={chosen.head} mapping={mapping} currency={currency} />
                <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
                  <DateField
                    id="import-day"
                    label={t('Day to compare')}
                    value={day}
                    onChange={setDay}
                    error={isChecked && day === ''}
                    helperText={isChecked && day === '' ? t('Choose the day.') : t('The settlement date.')}
                  />
                  <TextField
                    id="import-name"
                    label={t('Save mapping as (optional)')}
                    value={newName}
                    onChange={({ target }) => setNewName(target.value)}
                    helperText={t('Stored on this computer, for the next file in this format.')}
                    slotProps={{ htmlInput: { maxLength: NAME_MAX, autoComplete: 'off' } }}
                  />
                </Box>
              </>
            )}
          </FileDrop>
        )}
        {earlier !== undefined ? (
          <FailureNote failure={importing.error as ApiFailure}>
            {t('This file was already imported. You can compare the day with the earlier import.')}
          </FailureNote>
        ) : (
          importing.error && <FailureNote failure={importing.error} />
        )}
      </Box>
    </FormDialog>
  );
}

/** Returns the import that a refusal names: the same bytes were imported before, and are not being imported now. */
function earlierImport(failure: Error | null): string | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 'RESOURCE_CONFLICT') return undefined;
  const { importId, status } = failure.details;
  return typeof importId === 'string' && importId !== '' && status !== 'reading' ? importId : undefined;
}

/** Uploads a settlement file with the mapping of its columns. */
function importFile(file: File, columns: Mapping, merchantScope: MerchantScope) {
  const mapping = { transactionId: columns.transactionId, ...apiColumns(columns), unit: columns.unit };
  const form = new FormData();
  form.set('mapping', JSON.stringify(mapping));
  if (merchantScope !== undefined) form.set('merchantId', merchantScope);
  form.set('file', file);
  return takeData(api.POST('/api/v1/settlement/imports', { body: { file: file.name, mapping }, bodySerializer: () => form }));
}
