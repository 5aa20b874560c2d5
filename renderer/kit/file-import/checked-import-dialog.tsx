import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, FileDrop, FormDialog, showToast } from '#renderer/kit/ui';
import { type FileHead, headOf, readFileText } from './file-head.ts';
import { NamedColumnFields, type NamedColumns, type NamedField } from './named-columns.tsx';
import { useRememberedColumns } from './remembered-columns.ts';

/** Result of an import that stores nothing while a line has an error. */
interface ImportResult {
  readonly stored: boolean;
  /** Columns that were read. */
  readonly mapping: Readonly<Record<string, string | undefined>>;
  readonly created: number;
  readonly updated?: number;
  readonly failed: number;
}

/** A file with the choice of its columns. */
export interface ImportedFile {
  readonly file: File;
  /** Columns that the person chose; undefined if the service recognizes them. */
  readonly mapping: NamedColumns | undefined;
}

interface CheckedImportDialogProps<Result extends ImportResult> {
  /** Name of the import, for the IDs of its fields and for the columns that are remembered. */
  readonly id: string;
  /** Title, and name of the action. */
  readonly title: string;
  /** Content of the file. */
  readonly explanation: string;
  readonly fileLabel: string;
  /** Fields that columns of the file fill. */
  readonly fields: readonly NamedField[];
  /** Sends the file. A new function checks the file again. */
  readonly send: (chosen: ImportedFile, isDryRun: boolean) => Promise<Result>;
  readonly refresh: () => unknown;
  readonly doneText: (result: Result) => string;
  readonly onClose: () => void;
  /** Choices that apply to the whole file. */
  readonly options?: ReactNode;
  /** Shows the result of a check. */
  readonly children: (result: Result) => ReactNode;
}

/** Returns the columns that the service recognized in a file that it refused for the others; null for another failure. */
function recognizedColumns(failure: Error | null): NamedColumns | null {
  const mapping = failure instanceof ApiFailure ? failure.details.mapping : null;
  return typeof mapping === 'object' && mapping !== null ? { ...(mapping as NamedColumns) } : null;
}

/** Imports a CSV file: checks it first, asks for its columns, shows the result of each line, and stores it only without errors. */
export function CheckedImportDialog<Result extends ImportResult>(props: CheckedImportDialogProps<Result>) {
  const { id, title, explanation, fileLabel, fields, send, refresh, doneText, onClose, options, children } = props;
  const [chosen, setChosen] = useState<ImportedFile & { readonly head: FileHead | null }>();
  const { entries, remember } = useRememberedColumns();
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const { mutate: check, ...checking } = useMutation({ mutationFn: (request: () => Promise<Result>) => request() });
  const headerOf = ({ columns }: FileHead) => [id, ...columns].join('\n');
  const storing = useMutation({
    mutationFn: (file: ImportedFile) => send(file, false),
    onSuccess: (result) => {
      void refresh();
      if (!result.stored) return;
      if (chosen?.head && chosen.mapping) remember({ header: headerOf(chosen.head), columns: chosen.mapping });
      showToast(doneText(result));
      onClose();
    },
  });
  const isComplete = fields.every(({ field, isRequired }) => !isRequired || chosen?.mapping?.[field]) || chosen?.mapping === undefined;
  useEffect(() => {
    if (chosen && isComplete) check(() => send(chosen, true));
  }, [chosen, isComplete, send, check]);
  // The button cannot have the focus before the check has ended.
  useEffect(() => {
    if (checking.data) submitButton.current?.focus();
  }, [checking.data]);
  const result = isComplete ? (storing.data ?? checking.data) : undefined;
  const canStore = chosen !== undefined && result !== undefined && result.failed === 0 && result.created + (result.updated ?? 0) > 0;
  const failure = storing.error ?? checking.error;
  const recognized = recognizedColumns(failure);
  const areColumnsKnown = isComplete && recognized === null;
  const mapping = chosen?.mapping ?? result?.mapping ?? recognized ?? {};
  const choose = async (file: File) => {
    const head = headOf(await readFileText(file), true);
    storing.reset();
    setChosen({ file, head, mapping: head ? entries.find(({ header }) => header === headerOf(head))?.columns : undefined });
  };
  const changeColumn = (field: string, column: string) => {
    if (chosen === undefined) return;
    storing.reset();
    const next = Object.entries({ ...mapping, [field]: column }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    setChosen({ ...chosen, mapping: Object.fromEntries(next) });
  };
  return (
    <FormDialog
      title={title}
      submitLabel={chosen && areColumnsKnown ? (canStore ? title : t('Choose file')) : undefined}
      submitRef={submitButton}
      isBusy={checking.isPending || storing.isPending}
      onSubmit={() => (canStore ? storing.mutate(chosen) : input.current?.click())}
      onClose={onClose}
      maxWidth="md"
    >
      <Box sx={{ color: 'text.secondary', mb: 4 }}>{explanation}</Box>
      {options}
      <FileDrop
        label={fileLabel}
        inputRef={input}
        accept=".csv,.txt,.tsv,text/csv"
        onFile={(file) => void choose(file)}
        fileName={chosen?.file.name}
        hint={t('Or drop the file here.')}
      >
        {chosen?.head && (
          <>
            {recognized && <Box>{t('Choose the columns of the file.')}</Box>}
            <NamedColumnFields
              id={id}
              fields={fields}
              head={chosen.head}
              mapping={mapping as NamedColumns}
              isChecked={chosen.mapping !== undefined || recognized !== null}
              onChange={changeColumn}
            />
          </>
        )}
        {failure && (recognized === null || !chosen?.head) && <FailureNote failure={failure} />}
        {result && children(result)}
      </FileDrop>
    </FormDialog>
  );
}

/** Returns the form of an import. */
export function importForm({ file, mapping }: ImportedFile, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (mapping !== undefined) form.set('mapping', JSON.stringify(mapping));
  form.set('file', file);
  return form;
}
