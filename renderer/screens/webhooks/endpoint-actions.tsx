import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { PageActions, type RecordAction } from '#renderer/kit/record';
import { announce, ConfirmDialog, FailureNote, FormDialog, SelectField, showToast } from '#renderer/kit/ui';
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
  const rotate = useMutation({
    mutationFn: () => rotateSecret(endpoint.id),
    onSuccess: (rotated) => {
      close();
      setSecret(rotated.secret);
    },
    onSettled: () => refreshWebhooks(),
  });
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(endpoint.id),
    onSuccess: () => {
      // Leave the screen first, because the queries on screen would be fetched again.
      onDeleted();
      forgetEndpoint(endpoint.id);
    },
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
      <ConfirmDialog
        title={t('Rotate the secret?')}
        isOpen={openDialog === 'rotate'}
        confirmLabel={t('Rotate secret')}
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={close}
      >
        {t(
          'Deliveries are signed with a new secret from now on. For 24 hours they are also signed with the current secret, so that you can update your receiver.',
        )}
        {rotate.error && <FailureNote failure={rotate.error} />}
      </ConfirmDialog>
      <ConfirmDialog
        title={t('Delete this endpoint?')}
        isOpen={openDialog === 'delete'}
        confirmLabel={t('Delete endpoint')}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        {t('Its log and undelivered events are deleted too. You can’t undo this.')}
        {remove.error && <FailureNote failure={remove.error} />}
      </ConfirmDialog>
      {secret && <SecretDialog secret={secret} isRotated onClose={() => setSecret(undefined)} />}
    </>
  );
}

function TestDialog({ endpointId, onSent, onClose }: { endpointId: string; onSent: (deliveryId: string) => void; onClose: () => void }) {
  const types = useMay()('owner:activity') ? [...ALL_TYPES, ...ALL_SECURITY_TYPES] : ALL_TYPES;
  const [type, setType] = useState(ALL_TYPES[0] ?? '');
  const send = useMutation({
    mutationFn: () => sendTest(endpointId, type),
    onSuccess: ({ id, error }) => {
      announce(error === null ? t('Delivered.') : serviceText(error.message));
      void refreshWebhooks();
      onClose();
      onSent(id);
    },
  });
  return (
    <FormDialog
      title={t('Send a test event')}
      submitLabel={t('Send event')}
      isBusy={send.isPending}
      onSubmit={() => !send.isPending && send.mutate()}
      onClose={onClose}
      failure={send.error}
      maxWidth="xs"
    >
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
  const send = useMutation({
    mutationFn: () => redeliverFailed(endpointId, since),
    onSuccess: ({ redelivered }) => {
      showToast(
        redelivered === 0 ? t('No delivery failed since then') : t('Redelivering {{count, number}} deliveries', { count: redelivered }),
      );
      void refreshWebhooks();
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Redeliver failed deliveries')}
      submitLabel={t('Redeliver')}
      isBusy={send.isPending}
      onSubmit={() => since && !send.isPending && send.mutate()}
      onClose={onClose}
      failure={send.error}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <DateField id="redeliver-since" label={t('Failed deliveries of events since')} value={since} onChange={setSince} autoFocus />
      </Box>
    </FormDialog>
  );
}
