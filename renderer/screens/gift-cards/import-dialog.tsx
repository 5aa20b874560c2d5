import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { GiftCardImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { PREVIEW_ROWS, PreviewTable } from '#renderer/kit/file-import';
import { Dialog, FailureNote, FileDrop, showToast } from '#renderer/kit/ui';
import { refreshGiftCards } from '#renderer/shared/gift-cards';
import { importGiftCards } from './queries.ts';

interface ImportDialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

/** Imports balances of another product: checks the file first, shows the result of each line, and stores it only without errors. */
export function ImportDialog({ merchantId, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const checking = useMutation({ mutationFn: (chosen: File) => importGiftCards(merchantId, chosen, true) });
  const storing = useMutation({
    mutationFn: (chosen: File) => importGiftCards(merchantId, chosen, false),
    onSuccess: (result) => {
      void refreshGiftCards();
      if (!result.stored) return;
      showToast(t('{{count, number}} gift cards imported', { count: result.created }));
      onClose();
    },
  });
  // The button cannot have the focus before the check has ended.
  useEffect(() => {
    if (checking.data) submitButton.current?.focus();
  }, [checking.data]);
  const result = storing.data ?? checking.data;
  const canStore = file !== undefined && result !== undefined && result.failed === 0 && result.created > 0;
  const failure = storing.error ?? checking.error;
  const choose = (chosen: File) => {
    storing.reset();
    setFile(chosen);
    checking.mutate(chosen);
  };
  return (
    <Dialog
      title={t('Import balances')}
      isOpen
      onClose={onClose}
      maxWidth="md"
      onSubmit={() => (canStore && !storing.isPending ? storing.mutate(file) : input.current?.click())}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button ref={submitButton} type="submit" variant="contained" color="primary" loading={checking.isPending || storing.isPending}>
            {canStore ? t('Import balances') : t('Choose file')}
          </Button>
        </>
      }
    >
      <Box sx={{ color: 'text.secondary', mb: 4 }}>
        {t('A CSV file with the columns code and balance, and pin for codes that can be guessed. Codes that are in use stay unchanged.')}
      </Box>
      <FileDrop
        label={t('File of gift cards')}
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

const RESULTS: Readonly<Record<GiftCardImport['lines'][number]['result'], string>> = {
  created: t('New'),
  unchanged: t('Unchanged'),
  skipped: t('Skipped'),
  error: t('Error'),
};

/** Sums of a check, and its lines: those with errors first. */
function ImportReport({ result }: { readonly result: GiftCardImport }) {
  const rows = result.lines.toSorted((left, right) => Number(right.result === 'error') - Number(left.result === 'error'));
  return (
    <Box role="status" sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ fontWeight: 600 }}>
        {[
          t('{{count, number}} new', { count: result.created }),
          writeMoney(result.amount, result.currency),
          t('{{count, number}} unchanged', { count: result.unchanged }),
          t('{{count, number}} skipped', { count: result.skipped }),
          t('{{count, number}} with errors', { count: result.failed }),
        ].join(', ')}
      </Box>
      {result.failed > 0 && (
        <Box sx={{ color: 'error.main' }}>{t('Nothing is stored until every line is correct. Correct the file and choose it again.')}</Box>
      )}
      <PreviewTable
        columns={[{ label: t('Code') }, { label: t('Balance'), isNumber: true }, { label: t('Result') }]}
        rows={rows.slice(0, PREVIEW_ROWS).map(({ line, lastCharacters, balance, result: outcome, reason }) => ({
          line,
          cells: [
            { text: lastCharacters === null ? '' : `… ${lastCharacters}` },
            { text: balance === null ? '' : writeMoney(balance, result.currency) },
            outcome === 'error' && reason !== null ? { problem: serviceText(reason) } : { text: RESULTS[outcome] },
          ],
        }))}
      />
    </Box>
  );
}
