import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { WebhookEndpoint } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { figureColumn, RecordList, statusColumn } from '#renderer/kit/data-table';
import { PageActions } from '#renderer/kit/record';
import { EmptyState, Screen } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { eventsText } from './event-types.ts';
import { endpointsQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { SignatureChecker } from './signature-checker.tsx';

const COLUMNS: GridColDef<WebhookEndpoint>[] = [
  { field: 'url', headerName: 'URL', flex: 2, minWidth: 200 },
  { field: 'events', headerName: t('Events'), flex: 1.4, minWidth: 150, valueGetter: (_, { events }) => eventsText(events) },
  statusColumn({ flex: 0.6, minWidth: 120 }, (row) => row.status),
  figureColumn('successRate', t('Delivered, 24 h'), { flex: 0.7, minWidth: 116 }, ({ last24Hours: { successRate } }) =>
    successRate === null ? '–' : `${Math.round(successRate * 1_000) / 10}%`,
  ),
  figureColumn('p95', t('Response, p95'), { flex: 0.6, minWidth: 104 }, ({ last24Hours: { p95Ms } }) =>
    p95Ms === null ? '–' : `${p95Ms} ms`,
  ),
  figureColumn('pending', t('Pending'), { flex: 0.5, minWidth: 84 }, ({ last24Hours: { pending } }) => pending),
];

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['p95', 'events', 'successRate'];

/** Webhook endpoints and their health. */
export function WebhooksScreen() {
  const may = useMay();
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const [isNewOpen, setNewOpen] = useState(false);
  const [isCheckerOpen, setCheckerOpen] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  const canWrite = may('webhooks:write');
  const create = canWrite && (
    <Button variant="contained" color="primary" onClick={() => setNewOpen(true)}>
      {t('New endpoint')}
    </Button>
  );
  return (
    <Screen
      title={t('Webhooks')}
      fillsHeight
      subtitle={t('Get notified when payments change. Events are signed and retried until delivered.')}
      actions={
        <PageActions
          group={t('Webhooks')}
          actions={[
            ...(canWrite ? [{ label: t('New endpoint'), run: () => setNewOpen(true) }] : []),
            { label: t('Check signature'), run: () => setCheckerOpen(true) },
          ]}
        />
      }
    >
      <RecordList
        list="Webhook endpoints"
        query={endpoints}
        label={t('Webhook endpoints')}
        columns={COLUMNS}
        leaveOut={LEAVE_OUT}
        idOf={(row) => row.id}
        page={1}
        onPage={() => undefined}
        onOpen={({ id }) => void navigate(`/webhooks/${id}`)}
        empty={
          <EmptyState title={t('No endpoints yet')} action={create}>
            {t('Add the URL of your program to be notified of sales, refunds and chargebacks.')}
          </EmptyState>
        }
      />
      {isNewOpen && (
        <EndpointDialog
          onClose={() => setNewOpen(false)}
          onDone={(id, secret) => {
            setNewOpen(false);
            if (secret) setCreated({ id, secret });
          }}
        />
      )}
      {created && (
        <SecretDialog
          secret={created.secret}
          isRotated={false}
          onClose={() => {
            setCreated(undefined);
            void navigate(`/webhooks/${created.id}`);
          }}
        />
      )}
      {isCheckerOpen && <SignatureChecker onClose={() => setCheckerOpen(false)} />}
    </Screen>
  );
}
