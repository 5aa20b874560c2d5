import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FailureNote, FileDrop, Section, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { ColumnFields } from './column-fields.tsx';
import { ImportView } from './import-view.tsx';
import { KeySection } from './key-section.tsx';
import { importsQuery, readFile, refreshTransfers } from './queries.ts';
import { importName, STATUS_TEXTS } from './texts.ts';

/** Returns the columns of a list that was not recognized. */
function columnsOf(failure: Error | null): readonly string[] | null {
  const columns = failure instanceof ApiFailure ? failure.details.columns : null;
  return Array.isArray(columns) ? columns.filter((column) => typeof column === 'string' && column !== '') : null;
}

/** The steps of an import: file, report and run; transfer keys for encrypted files are below. */
export function ImportTab() {
  const { merchantId } = useMerchant();
  const imports = useQuery(importsQuery(merchantId));
  const [chosenId, setChosenId] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const reading = useMutation({
    mutationFn: readFile,
    onSuccess: (read) => {
      void refreshTransfers();
      setChosenId(read.importId);
      announce(t('{{count, number}} lines read. Nothing was imported yet.', { count: read.lines }));
    },
  });
  const send = (file: File) => reading.mutate({ merchantId, file, mapping: null });
  const columns = columnsOf(reading.error);
  const sent = reading.variables;
  const items = (imports.data?.items ?? []).filter(({ status }) => status !== 'reading');
  const openId = chosenId ?? items.find(({ status }) => status !== 'discarded')?.importId;
  const chooseFile = () => input.current?.click();
  useShortcuts(t('Import'), [{ keys: 'I', label: t('Choose a file of customers'), run: chooseFile }]);
  return (
    <Box sx={{ display: 'grid', gap: 6, minWidth: 0 }}>
      <Section title={t('File of customers')}>
        <FileDrop
          label={t('File of customers')}
          inputRef={input}
          onFile={send}
          button={{ variant: 'contained', color: 'primary', loading: reading.isPending, autoFocus: false, 'aria-keyshortcuts': 'I' }}
          hint={t(
            'Or drop it here: an export of Authorize.Net, NMI, Stripe or Paydesk, encrypted for a transfer key, or a list of customers as CSV. Nothing is imported before you check the report. A file that isn’t encrypted is read too; delete it afterwards.',
          )}
        />
        {reading.error && columns === null && <FailureNote failure={reading.error} />}
        {columns !== null && sent !== undefined && (
          <ColumnFields
            columns={columns}
            isBusy={reading.isPending}
            onSubmit={(mapping) => reading.mutate({ merchantId, file: sent.file, mapping })}
          />
        )}
      </Section>
      {openId !== undefined && <ImportView key={openId} importId={openId} />}
      <KeySection />
      {items.length > 1 && (
        <Section title={t('Earlier imports')}>
          <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
            {items
              .filter(({ importId }) => importId !== openId)
              .map((each) => (
                <Button key={each.importId} variant="text" onClick={() => setChosenId(each.importId)}>
                  {[importName(each), t('{{count, number}} lines', { count: each.lines }), STATUS_TEXTS[each.status]].join(', ')}
                </Button>
              ))}
          </Box>
        </Section>
      )}
    </Box>
  );
}
