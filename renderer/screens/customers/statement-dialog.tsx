import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Customer, newIdempotencyKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, Dialog, FailureNote, MutedText, QueryContent, showToast, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { saveAs, saveCsv } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { type StatementDays, sendStatement, statementPdf, statementQuery } from './statement-queries.ts';
import { StatementTable } from './statement-table.tsx';
import { nameOf } from './texts.ts';

/** Statement of a customer: a preview of a period, to save as a file or to send. */
export function StatementDialog({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const { customerId, email } = customer;
  const may = useMay();
  const [chosen, setChosen] = useState<StatementDays>({ startDate: '', endDate: '' });
  const shown = useQuery(statementQuery(customerId, chosen));
  const days = {
    startDate: chosen.startDate || (shown.data?.startDate ?? ''),
    endDate: chosen.endDate || (shown.data?.endDate ?? ''),
  };
  const [key, setKey] = useState(newIdempotencyKey);
  const choose = (change: Partial<StatementDays>) => {
    setChosen({ ...days, ...change });
    setKey(newIdempotencyKey());
  };
  const fileName = `statement-${days.startDate}-${days.endDate}`;
  const pdf = useMutation({
    mutationFn: async () => saveAs(await statementPdf(customerId, days), `${fileName}.pdf`),
    onSuccess: () => showToast(t('{{file}} saved', { file: `${fileName}.pdf` })),
  });
  const csv = useMutation({
    mutationFn: () =>
      saveCsv({
        path: `/api/v1/customers/${customerId}/statement/export`,
        query: days,
        name: `${fileName}.csv`,
        rows: shown.data?.total ?? 0,
      }),
    onSuccess: (isSaved) => isSaved && announce(t('{{file}} saved', { file: `${fileName}.csv` })),
  });
  const send = useSubmit({
    send: () => sendStatement(customerId, days, key),
    toast: ({ to }) => t('Statement for {{recipient}} queued', { recipient: to }),
    onClose,
  });
  const failure = send.failure ?? pdf.error ?? csv.error;
  const isReady = shown.data !== undefined && !shown.isFetching;
  return (
    <Dialog
      title={t('Statement of {{name}}', { name: nameOf(customer) })}
      isOpen
      onClose={onClose}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
          {may('customers:export') && (
            <Button onClick={() => csv.mutate()} disabled={!isReady} loading={csv.isPending}>
              CSV
            </Button>
          )}
          <Button onClick={() => pdf.mutate()} disabled={!isReady} loading={pdf.isPending}>
            PDF
          </Button>
          {may('invoices:write') && email && (
            <Button variant="contained" onClick={() => send.onSubmit()} disabled={!isReady} loading={send.isBusy}>
              {t('Send by email')}
            </Button>
          )}
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <DateField id="statement-start" label={t('First day')} value={days.startDate} onChange={(startDate) => choose({ startDate })} />
          <DateField id="statement-end" label={t('Last day')} value={days.endDate} onChange={(endDate) => choose({ endDate })} />
        </Box>
        <QueryContent query={shown}>{(statement) => <StatementTable statement={statement} />}</QueryContent>
        {may('invoices:write') && (
          <MutedText>
            {email
              ? t('It is sent to {{email}}, the address on file.', { email })
              : t('The customer has no email address, so it can’t be sent.')}
          </MutedText>
        )}
        {failure && <FailureNote failure={failure} />}
      </Box>
    </Dialog>
  );
}
