import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, FileDrop, FormDialog, showToast } from '#renderer/kit/ui';

/** Result of an import that stores nothing while a line has an error. */
interface ImportResult {
  readonly stored: boolean;
  readonly created: number;
  readonly updated?: number;
  readonly failed: number;
}

interface CheckedImportDialogProps<Result extends ImportResult> {
  /** Title, and name of the action. */
  readonly title: string;
  /** Columns of the file. */
  readonly explanation: string;
  readonly fileLabel: string;
  /** Sends the file. A new function checks the file again. */
  readonly send: (file: File, isDryRun: boolean) => Promise<Result>;
  readonly refresh: () => unknown;
  readonly doneText: (result: Result) => string;
  readonly onClose: () => void;
  /** Choices that apply to the whole file. */
  readonly options?: ReactNode;
  /** Shows the result of a check. */
  readonly children: (result: Result) => ReactNode;
}

/** Imports a CSV file: checks it first, shows the result of each line, and stores it only without errors. */
export function CheckedImportDialog<Result extends ImportResult>(props: CheckedImportDialogProps<Result>) {
  const { title, explanation, fileLabel, send, refresh, doneText, onClose, options, children } = props;
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const { mutate: check, ...checking } = useMutation({ mutationFn: (request: () => Promise<Result>) => request() });
  const storing = useMutation({
    mutationFn: (chosen: File) => send(chosen, false),
    onSuccess: (result) => {
      void refresh();
      if (!result.stored) return;
      showToast(doneText(result));
      onClose();
    },
  });
  useEffect(() => {
    if (file) check(() => send(file, true));
  }, [file, send, check]);
  // The button cannot have the focus before the check has ended.
  useEffect(() => {
    if (checking.data) submitButton.current?.focus();
  }, [checking.data]);
  const result = storing.data ?? checking.data;
  const canStore = file !== undefined && result !== undefined && result.failed === 0 && result.created + (result.updated ?? 0) > 0;
  const failure = storing.error ?? checking.error;
  const choose = (chosen: File) => {
    storing.reset();
    setFile(chosen);
  };
  return (
    <FormDialog
      title={title}
      submitLabel={file && (canStore ? title : t('Choose file'))}
      submitRef={submitButton}
      isBusy={checking.isPending || storing.isPending}
      onSubmit={() => (canStore ? storing.mutate(file) : input.current?.click())}
      onClose={onClose}
      maxWidth="md"
    >
      <Box sx={{ color: 'text.secondary', mb: 4 }}>{explanation}</Box>
      {options}
      <FileDrop
        label={fileLabel}
        inputRef={input}
        accept=".csv,.txt,.tsv,text/csv"
        onFile={choose}
        fileName={file?.name}
        hint={t('Or drop the file here.')}
      >
        {failure && <FailureNote failure={failure} />}
        {result && children(result)}
      </FileDrop>
    </FormDialog>
  );
}
