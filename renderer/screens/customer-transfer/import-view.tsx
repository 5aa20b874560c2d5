import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CustomerImport, CustomerImportLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { accountText, cardText } from '#renderer/base/payment-methods';
import { RecordList, textColumn } from '#renderer/kit/data-table';
import { PREVIEW_ROWS, PreviewTable } from '#renderer/kit/file-import';
import {
  ConfirmDialog,
  FailureNote,
  MutedText,
  QueryContent,
  Section,
  SelectField,
  StatusChip,
  useShortcuts,
  useSubmit,
} from '#renderer/kit/ui';
import { saveCsv } from '#renderer/session/download';
import { type Action, discardImport, importQuery, linesQuery, refreshTransfers, runImport, stopImport } from './queries.ts';
import { ACTION_NAMES, explanationOf, importName } from './texts.ts';

const storedText = (brand: string | null, last4: string) => (brand === null ? accountText({ last4 }) : cardText({ brand, last4 }));

const COLUMNS: readonly GridColDef<CustomerImportLine>[] = [
  { field: 'line', headerName: t('Line'), width: 80 },
  { field: 'action', headerName: t('Result'), width: 190, valueGetter: (_, { action }) => ACTION_NAMES[action] },
  { field: 'name', headerName: t('Name'), flex: 1, minWidth: 130, valueGetter: (_, { name }) => name ?? '' },
  textColumn('last4', t('Card or account'), { width: 140 }, ({ brand, last4 }) => (last4 === null ? '' : storedText(brand, last4))),
  { field: 'externalId', headerName: t('Earlier ID'), width: 150, valueGetter: (_, { externalId }) => externalId ?? '' },
  { field: 'reason', headerName: t('Note'), flex: 1.4, minWidth: 180, valueGetter: (_, line) => explanationOf(line) },
];

/** Style and label of the states of an import. */
const STATES: Readonly<Record<CustomerImport['status'], readonly [state: string, label: string]>> = {
  reading: ['checking', t('Reading')],
  ready: ['checked', t('Ready')],
  running: ['checking', t('Running')],
  stopped: ['stopped', t('Stopped')],
  done: ['ok', t('Done')],
  discarded: ['cancelled', t('Discarded')],
};

/** One import: its counts, its report, and the buttons that run, stop and discard it. */
export function ImportView({ importId }: { readonly importId: string }) {
  const query = useQuery(importQuery(importId));
  return <QueryContent query={query}>{(found) => <Content found={found} />}</QueryContent>;
}

function Content({ found }: { readonly found: CustomerImport }) {
  const { importId, status, lines, processed } = found;
  const navigate = useNavigate();
  const [action, setAction] = useState<Action | null>(null);
  const [page, setPage] = useState(1);
  const [sharedCards, setSharedCards] = useState(found.sharedCards);
  const [unreadableCards, setUnreadableCards] = useState(found.unreadableCards);
  const report = useQuery(linesQuery(importId, action, page));
  const running = useSubmit({
    send: () => runImport(importId, { sharedCards, unreadableCards }),
    refresh: refreshTransfers,
    announcement: t('The import has started.'),
  });
  const [isDiscardAsked, setDiscardAsked] = useState(false);
  const stopping = useSubmit({ send: () => stopImport(importId), refresh: refreshTransfers, announcement: t('The import was stopped.') });
  const discarding = useSubmit({
    send: () => discardImport(importId),
    refresh: refreshTransfers,
    announcement: t('The import was discarded.'),
    onClose: () => setDiscardAsked(false),
  });
  const saving = useMutation({
    mutationFn: () =>
      saveCsv({ path: `/api/v1/customers/imports/${importId}/report`, query: {}, name: 'customer-import.csv', rows: lines }),
  });
  const failure = running.failure ?? stopping.failure ?? saving.error;
  const isOpen = status === 'ready' || status === 'stopped';
  const counts = processed === 0 ? found.planned : found.results;
  const useful =
    found.planned.create + found.planned.update + found.planned.shared + (unreadableCards === 'omit' ? found.planned.rejected : 0);
  useShortcuts(t('Import'), isOpen && useful > 0 ? [{ keys: 'Mod+Enter', label: t('Run the import'), run: () => running.onSubmit() }] : []);
  return (
    <Section title={t('Report and import')}>
      <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 3 }}>
          <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{importName(found)}</Box>
          <StatusChip state={STATES[status][0]} label={STATES[status][1]} />
          <MutedText>{found.transferKeyId === null ? t('This file was not encrypted.') : t('Decrypted with a transfer key.')}</MutedText>
        </Box>
        <Box component="ul" aria-label={t('Results')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, m: 0, p: 0, listStyle: 'none' }}>
          {(Object.keys(ACTION_NAMES) as Action[]).map((each) => (
            <li key={each}>
              <Button
                size="small"
                variant={action === each ? 'contained' : 'outlined'}
                aria-pressed={action === each}
                onClick={() => {
                  setAction(action === each ? null : each);
                  setPage(1);
                }}
              >
                {ACTION_NAMES[each]}: {counts[each]}
              </Button>
            </li>
          ))}
        </Box>
        {status === 'running' && (
          <Box>
            <LinearProgress
              variant="determinate"
              value={lines === 0 ? 0 : (processed / lines) * 100}
              aria-label={t('Progress of the import')}
            />
            <MutedText>{t('{{processed, number}} of {{count, number}} lines', { processed, count: lines })}</MutedText>
          </Box>
        )}
        <Box sx={{ display: 'flex', alignItems: 'end', flexWrap: 'wrap', gap: 3 }}>
          {isOpen && found.planned.shared > 0 && (
            <SelectField
              id="shared-cards"
              label={t('Cards of other customers')}
              value={sharedCards}
              options={[
                ['skip', t('Skip these lines')],
                ['add', t('Add the card here too')],
              ]}
              onChange={setSharedCards}
              sx={{ width: 240 }}
            />
          )}
          {isOpen && found.planned.rejected > 0 && (
            <SelectField
              id="unreadable-cards"
              label={t('Cards that can’t be read')}
              value={unreadableCards}
              options={[
                ['skip', t('Skip these lines')],
                ['omit', t('Import customers without the card')],
              ]}
              onChange={setUnreadableCards}
              sx={{ width: 260 }}
            />
          )}
          {isOpen && (
            <Button
              variant="contained"
              color="primary"
              disabled={useful === 0}
              loading={running.isBusy}
              onClick={() => running.onSubmit()}
              aria-keyshortcuts="Control+Enter"
            >
              {status === 'stopped' ? t('Continue import') : t('Import customers')}
            </Button>
          )}
          {status === 'running' && (
            <Button loading={stopping.isBusy} onClick={() => stopping.onSubmit()}>
              {t('Stop import')}
            </Button>
          )}
          <Button loading={saving.isPending} onClick={() => saving.mutate()}>
            {t('Download report')}
          </Button>
          {isOpen && (
            <Button variant="text" color="error" onClick={() => setDiscardAsked(true)}>
              {t('Discard import…')}
            </Button>
          )}
        </Box>
        <ConfirmDialog
          {...discarding}
          title={t('Discard the import?')}
          isOpen={isDiscardAsked}
          submitLabel={t('Discard import')}
          isDangerous
        >
          {t('The file and its report are deleted. Customers that were imported stay.')}
        </ConfirmDialog>
        {failure && <FailureNote failure={failure} />}
        {isOpen && processed === 0 && <CustomerPreview importId={importId} />}
        {found.ignoredColumns.length > 0 && (
          <MutedText>{t('Columns not read: {{columns}}', { columns: found.ignoredColumns.join(', ') })}</MutedText>
        )}
        <Box sx={{ height: 440, display: 'flex', flexDirection: 'column' }}>
          <RecordList
            list="Report of the import"
            query={report}
            label={t('Report of the import')}
            columns={COLUMNS}
            idOf={({ number }) => String(number)}
            page={page}
            onPage={setPage}
            onOpen={({ customerId }) => customerId !== null && void navigate(`/customers/${customerId}`)}
            empty={t('No line has this result.')}
          />
        </Box>
      </Box>
    </Section>
  );
}

/** The first lines with the customers that are read from them. */
function CustomerPreview({ importId }: { readonly importId: string }) {
  const { data } = useQuery(linesQuery(importId, null, 1));
  const cellsOf = (line: CustomerImportLine) => {
    const { name, customer, brand, last4 } = line;
    if (customer === null) return [{ text: name ?? '' }, { problem: explanationOf(line) }, {}, {}, {}, {}];
    const { company, email, phone, address } = customer;
    return [name, company, email, phone, address, last4 === null ? '' : storedText(brand, last4)].map((text) => ({ text: text ?? '' }));
  };
  if (!data || data.items.length === 0) return null;
  return (
    <PreviewTable
      columns={[t('Name'), t('Company'), t('Email'), t('Phone'), t('Address'), t('Card or account')].map((label) => ({ label }))}
      rows={data.items.slice(0, PREVIEW_ROWS).map((line) => ({ line: line.line, cells: cellsOf(line) }))}
    />
  );
}
