import Box from '@mui/material/Box';
import { useCallback } from 'react';
import type { GiftCardImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { CheckedImportDialog, type ImportedFile, PREVIEW_ROWS, PreviewTable } from '#renderer/kit/file-import';
import { refreshGiftCards } from '#renderer/shared/gift-cards';
import { importGiftCards } from './queries.ts';

interface ImportDialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

const FIELDS = [
  { field: 'code', label: t('Code'), isRequired: true },
  { field: 'balance', label: t('Balance'), isRequired: true },
  { field: 'pin', label: t('PIN') },
];

/** Imports balances of another product. */
export function ImportDialog({ merchantId, onClose }: ImportDialogProps) {
  const send = useCallback((chosen: ImportedFile, isDryRun: boolean) => importGiftCards(merchantId, chosen, isDryRun), [merchantId]);
  return (
    <CheckedImportDialog
      id="gift-cards"
      title={t('Import balances')}
      explanation={t(
        'A CSV file with a column for the code and one for the balance, and one for the PIN of codes that can be guessed. Codes that are in use stay unchanged.',
      )}
      fields={FIELDS}
      fileLabel={t('File of gift cards')}
      send={send}
      refresh={refreshGiftCards}
      doneText={({ created }) => t('{{count, number}} gift cards imported', { count: created })}
      onClose={onClose}
    >
      {(result) => <ImportReport result={result} />}
    </CheckedImportDialog>
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
