import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { PageActions, type RecordAction } from '#renderer/kit/record';
import { ConfirmDialog, FormDialog, SelectField, showToast, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMay } from '#renderer/session/user';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { ALL_SECURITY_TYPES, ALL_TYPES } from './event-types.ts';
import { CatchUpDialog } from './history/catch-up-dialog.tsx';
import { deleteEndpoint, forgetEndpoint, redeliverFailed, refreshWebhooks, rotateSecret, sendTest, setStatus } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onSent: (deliveryId: string) => void;
  readonly onDeleted: () => void;
}

type DialogName = 'test' | 'edit' | 'catch-up' | 'rotate' | 'delete' | 'redeliver';

/** Actions on an endpoint. */
export function EndpointActions({ endpoint, onSent, onDeleted }: EndpointActionsProps) {
  const may = useMay();
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpenDialog(undefined);
  const isActive = endpoint.status === 'active';
  const status = useMutation({
    mutationFn: () => setStatus(endpoint.id, isActive ? 'disabled' : 'active'),
    onSuccess: () => showToast(isActive ? t('Disabled. New events are not queued.') : t('Enabled')),
    onError: ({ message }) => showToast(message),
    onSettled: () => refreshWebhooks(),
  });
  const rotate = useSubmit({
    send: () => rotateSecret(endpoint.id),
    refresh: refreshWebhooks,
    onDone: (rotated) => {
      close();
      setSecret(rotated.secret);
    },
    onClose: close,
  });
  const remove = useSubmit({
    send: () => deleteEndpoint(endpoint.id),
    onDone: () => {
      // Leave the screen first, because the queries on screen would be fetched again.
      onDeleted();
      forgetEndpoint(endpoint.id);
    },
    onClose: close,
  });
  const canWrite = may('webhooks:write');
  if (!canWrite) return null;

  const actions: readonly RecordAction[] = [
    { label: t('Send a test event'), keys: 'T', run: () => setOpenDialog('test') },
    { label: t('Edit endpoint'), hint: t('URL, events, description'), run: () => setOpenDialog('edit') },
    { label: t('Rotate secret'), hint: t('Both secrets sign for 24 hours'), run: () => setOpenDialog('rotate') },
    {
      label: isActive ? t('Disable endpoint') : t('Enable endpoint'),
      hint: isActive ? t('New events are not queued') : t('Sends queued deliveries'),
      run: () => status.mutate(),
    },
    ...(isActive && endpoint.catchUp?.state !== 'running'
      ? [{ label: t('Send earlier events…'), hint: t('Everything since a day, each event once'), run: () => setOpenDialog('catch-up') }]
      : []),
    { label: t('Redeliver failed deliveries…'), hint: t('Restarts the retry schedule'), run: () => setOpenDialog('redeliver') },
    { label: t('Delete endpoint'), hint: t('Also deletes its deliveries'), run: () => setOpenDialog('delete'), isDangerous: true },
  ];
  return (
    <>
      <PageActions group={t('This endpoint')} actions={actions} />
      {openDialog === 'test' && <TestDialog endpointId={endpoint.id} onSent={onSent} onClose={close} />}
      {openDialog === 'edit' && <EndpointDialog endpoint={endpoint} onDone={close} onClose={close} />}
      {openDialog === 'catch-up' && <CatchUpDialog endpoint={endpoint} onClose={close} />}
      {openDialog === 'redeliver' && <RedeliverDialog endpointId={endpoint.id} onClose={close} />}
      <ConfirmDialog {...rotate} title={t('Rotate the secret?')} isOpen={openDialog === 'rotate'} submitLabel={t('Rotate secret')}>
        {t(
          'Deliveries are signed with a new secret from now on. For 24 hours they are also signed with the current secret, so that you can update your receiver.',
        )}
      </ConfirmDialog>
      <ConfirmDialog
        {...remove}
        title={t('Delete this endpoint?')}
        isOpen={openDialog === 'delete'}
        submitLabel={t('Delete endpoint')}
        isDangerous
      >
        {t('Its log and undelivered events are deleted too. You can’t undo this.')}
      </ConfirmDialog>
      {secret && <SecretDialog secret={secret} isRotated onClose={() => setSecret(undefined)} />}
    </>
  );
}

function TestDialog({ endpointId, onSent, onClose }: { endpointId: string; onSent: (deliveryId: string) => void; onClose: () => void }) {
  const types = useMay()('owner:activity') ? [...ALL_TYPES, ...ALL_SECURITY_TYPES] : ALL_TYPES;
  const [type, setType] = useState(ALL_TYPES[0] ?? '');
  const send = useSubmit({
    send: () => sendTest(endpointId, type),
    refresh: refreshWebhooks,
    announcement: ({ error }) => (error === null ? t('Delivered.') : serviceText(error.message)),
    onDone: ({ id }) => {
      onClose();
      onSent(id);
    },
    onClose,
  });
  return (
    <FormDialog {...send} title={t('Send a test event')} submitLabel={t('Send event')} maxWidth="xs">
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Sends one signed event with sample data, marked “test” in its envelope. It isn’t retried.')}
        </Box>
        <SelectField
          id="test-type"
          label={t('Event type')}
          value={type}
          options={types.map((name) => [name, name] as const)}
          onChange={setType}
          autoFocus
        />
      </Box>
    </FormDialog>
  );
}

const DAY_MS = 86_400_000;

function RedeliverDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [since, setSince] = useState(() => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10));
  const send = useSubmit({
    send: () => redeliverFailed(endpointId, since),
    refresh: refreshWebhooks,
    toast: ({ redelivered }) =>
      redelivered === 0 ? t('No delivery failed since then') : t('Redelivering {{count, number}} deliveries', { count: redelivered }),
    onClose,
  });
  return (
    <FormDialog
      {...send}
      title={t('Redeliver failed deliveries')}
      submitLabel={t('Redeliver')}
      onSubmit={() => since && send.onSubmit()}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <DateField id="redeliver-since" label={t('Failed deliveries of events since')} value={since} onChange={setSince} autoFocus />
      </Box>
    </FormDialog>
  );
}
