import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ItemImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { Dialog, FailureNote, FileDrop, showToast } from '#renderer/kit/ui';
import { importItems, refreshItems } from './requests.ts';

interface ImportItemsDialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

/** Imports a CSV file of items: checks it first, shows the result of each line, and stores it only without errors. */
export function ImportItemsDialog({ merchantId, onClose }: ImportItemsDialogProps) {
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const checking = useMutation({
    mutationFn: (chosen: File) => importItems(merchantId, chosen, true),
  });
  const storing = useMutation({
    mutationFn: (chosen: File) => importItems(merchantId, chosen, false),
    onSuccess: (result) => {
      void refreshItems();
      if (!result.stored) return;
      const added = t('{{count, number}} items added', { count: result.created });
      showToast(`${added}, ${t('{{count, number}} changed', { count: result.updated })}`);
      onClose();
    },
  });
  // The button cannot have the focus before the check has ended.
  useEffect(() => {
    if (checking.data) submitButton.current?.focus();
  }, [checking.data]);
  const result = storing.data ?? checking.data;
  const canStore = file !== undefined && result !== undefined && result.failed === 0 && result.created + result.updated > 0;
  const choose = (chosen: File) => {
    storing.reset();
    setFile(chosen);
    checking.mutate(chosen);
  };
  const failure = storing.error ?? checking.error;
  return (
    <Dialog
      title={t('Import items')}
      isOpen
      onClose={onClose}
      maxWidth="sm"
      onSubmit={() => (canStore && !storing.isPending ? storing.mutate(file) : input.current?.click())}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button ref={submitButton} type="submit" variant="contained" color="primary" loading={checking.isPending || storing.isPending}>
            {canStore ? t('Import items') : t('Choose file')}
          </Button>
        </>
      }
    >
      <Box sx={{ color: 'text.secondary', mb: 4 }}>
        {t(
          'A CSV file with the columns name and price, and optionally taxRate, taxIncluded, key, barcode, kind, status and category. A line with the key or barcode of an existing item changes it.',
        )}
      </Box>
      <FileDrop
        label={t('File of items')}
        inputRef={input}
        accept=".csv,.txt,.tsv,text/csv"
        onFile={choose}
        button={
          <Button autoFocus onClick={() => input.current?.click()}>
            {file ? t('Choose another file') : t('Choose file')}
          </Button>
        }
        hint={file?.name ?? t('Or drop the file here.')}
      >
        {failure && <FailureNote failure={failure} />}
        {result && <ImportReport result={result} />}
      </FileDrop>
    </Dialog>
  );
}

const SHOWN_MAX = 100;

/** Sums of a check, and the lines with errors. */
function ImportReport({ result }: { result: ItemImport }) {
  const errors = result.lines.filter((line) => line.result === 'error');
  return (
    <Box role="status" sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ fontWeight: 600 }}>
        {[
          t('{{count, number}} new', { count: result.created }),
          t('{{count, number}} changed', { count: result.updated }),
          t('{{count, number}} unchanged', { count: result.unchanged }),
          t('{{count, number}} with errors', { count: result.failed }),
        ].join(', ')}
      </Box>
      {errors.length > 0 && (
        <>
          <Box sx={{ color: 'error.main' }}>
            {t('Nothing is stored until every line is correct. Correct the file and choose it again.')}
          </Box>
          <Box
            component="ul"
            aria-label={t('Lines with errors')}
            sx={{ m: 0, paddingInlineStart: 4, maxHeight: 220, overflow: 'auto', fontSize: 13 }}
          >
            {errors.slice(0, SHOWN_MAX).map((line) => (
              <li key={line.line}>{errorText(line)}</li>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}

function errorText({ line, name, reason }: ItemImport['lines'][number]): string {
  const values = { line, reason: serviceText(reason ?? '') };
  return name ? t('Line {{line}} ({{item}}): {{reason}}', { ...values, item: name }) : t('Line {{line}}: {{reason}}', values);
}
