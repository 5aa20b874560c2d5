import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Gateway } from '#renderer/base/client';
import { type ApiFailure, gatewaysQuery } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { ConfirmDialog, EmptyState, FailureNote, QueryContent, showToast } from '#renderer/kit/ui';
import { useIsSandbox, useMay } from '#renderer/session/user';
import type { TabProps } from '../form-tabs.tsx';
import { refreshSettings } from '../sections.ts';
import { GatewayDialog } from './gateway-dialog.tsx';
import { GatewayEntry, RemovalHint } from './gateway-entry.tsx';
import { changeGateway, gatewayTypesQuery, removeGateway } from './requests.ts';

/** Operation that needs confirmation. */
interface PendingAction {
  readonly kind: 'remove' | 'disable';
  readonly gateway: Gateway;
}

/** Gateways of the merchant, in the order in which they are used if no routing rule applies. */
export function GatewaysTab({ merchantId }: TabProps) {
  const gateways = useQuery(gatewaysQuery(merchantId));
  const types = useQuery(gatewayTypesQuery);
  const may = useMay();
  const isSandbox = useIsSandbox();
  // A live gateway decides where the money goes.
  const canWrite = may('merchants:write') && (isSandbox || may('owner:gateways'));
  const [isNewOpen, setNewOpen] = useState(false);
  const [editing, setEditing] = useState<Gateway>();
  const [pendingAction, setPendingAction] = useState<PendingAction>();
  const addRef = useRef<HTMLButtonElement>(null);
  const known = gateways.data?.items ?? [];
  const toggle = useMutation({
    mutationFn: ({ id, status }: Gateway) => changeGateway(merchantId, id, { status: status === 'active' ? 'disabled' : 'active' }),
    onSuccess: ({ name, status }) =>
      showToast(status === 'active' ? t('{{name}} is enabled.', { name }) : t('{{name}} is disabled. Routing skips it.', { name })),
    onSettled: () => {
      setPendingAction(undefined);
      return refreshSettings();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Gateway) => removeGateway(merchantId, id),
    onSuccess: async (_, { name }) => {
      await refreshSettings();
      showToast(t('{{name}} was removed.', { name }));
    },
    onSettled: () => setPendingAction(undefined),
  });
  // Its own button disappears with it, so the dialog must close first.
  const isGone = remove.isSuccess && pendingAction === undefined;
  useEffect(() => {
    if (isGone) addRef.current?.focus();
  }, [isGone]);
  const requestToggle = (gateway: Gateway) => {
    remove.reset();
    if (gateway.status === 'active' && isLastActive(gateway, known)) setPendingAction({ kind: 'disable', gateway });
    else toggle.mutate(gateway);
  };
  const requestRemoval = (gateway: Gateway) => {
    toggle.reset();
    remove.reset();
    setPendingAction({ kind: 'remove', gateway });
  };
  const failureOf = ({ id }: Gateway) =>
    toggle.variables?.id === id && toggle.error ? toggle.error : remove.variables?.id === id ? remove.error : null;
  const add = canWrite && (
    <Button ref={addRef} variant="contained" color="primary" disabled={!types.data || !gateways.data} onClick={() => setNewOpen(true)}>
      {t('Add gateway')}
    </Button>
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 760, pb: 6 }}>
      <Box sx={{ display: 'flex', gap: 4, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary', flex: 1, minWidth: 240 }}>
          {isSandbox
            ? t('Sandbox gateways share their data. Add several to try routing and failover.')
            : t('A payment goes to the first gateway that can take it.')}{' '}
          <Trans
            i18nKey="<0>Routing rules</0> come first."
            components={[<Link key="0" component={RouterLink} to="/settings/routing" underline="always" />]}
          />
        </Box>
        {known.length > 0 && add}
      </Box>
      {types.error && <FailureNote failure={types.error} onRetry={() => void types.refetch()} />}
      <QueryContent
        query={gateways}
        skeleton={<Skeleton height={160} />}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('No gateways yet')} action={add}>
            {isSandbox
              ? t('Payments are rejected until you add a gateway.')
              : t(
                  'Payments are rejected until you add a gateway. You need the credentials of your account at a processor; they are checked with the processor before they are saved.',
                )}{' '}
            {!canWrite && (isSandbox ? t('Ask an administrator to add one.') : t('Ask an owner to add one.'))}
          </EmptyState>
        }
      >
        {() => (
          <Box component="ul" aria-label={t('Gateways')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {known.map((gateway) => (
              <GatewayEntry
                key={gateway.id}
                gateway={gateway}
                label={types.data?.find(({ type }) => type === gateway.type)?.label ?? gateway.type}
                canWrite={canWrite}
                canCheck={may('merchants:write')}
                onEdit={types.data && (() => setEditing(gateway))}
                onToggle={() => requestToggle(gateway)}
                isToggling={toggle.isPending && toggle.variables.id === gateway.id}
                onRemove={() => requestRemoval(gateway)}
              >
                <Failed failure={failureOf(gateway)} gateway={gateway} />
              </GatewayEntry>
            ))}
          </Box>
        )}
      </QueryContent>
      {isNewOpen && types.data && <GatewayDialog types={types.data} known={known} onClose={() => setNewOpen(false)} />}
      {editing && types.data && <GatewayDialog types={types.data} gateway={editing} known={known} onClose={() => setEditing(undefined)} />}
      {pendingAction && (
        <ConfirmDialog
          title={
            pendingAction.kind === 'remove'
              ? t('Remove {{name}}?', { name: pendingAction.gateway.name })
              : t('Disable {{name}}?', { name: pendingAction.gateway.name })
          }
          isOpen
          submitLabel={
            pendingAction.kind === 'remove'
              ? t('Remove {{name}}', { name: pendingAction.gateway.name })
              : t('Disable {{name}}', { name: pendingAction.gateway.name })
          }
          isDangerous
          isBusy={toggle.isPending || remove.isPending}
          onSubmit={() => (pendingAction.kind === 'remove' ? remove : toggle).mutate(pendingAction.gateway)}
          onClose={() => setPendingAction(undefined)}
        >
          {consequencesOf(pendingAction, known)}
        </ConfirmDialog>
      )}
    </Box>
  );
}

function consequencesOf({ kind, gateway }: PendingAction, known: readonly Gateway[]): string {
  const isRemoval = kind === 'remove';
  return [
    isLastActive(gateway, known) && t('No other gateway is active: all payments are rejected until one is.'),
    isRemoval ? t('Its payments are kept and can still be refunded.') : t('Its payments can still be refunded.'),
    // Refunds go through the account even if it takes no new payments.
    isRemoval && gateway.settings && t('Keep its key valid at the processor as long as refunds are possible.'),
  ]
    .filter(Boolean)
    .join(' ');
}

const isLastActive = (gateway: Gateway, known: readonly Gateway[]) =>
  gateway.status === 'active' && !known.some(({ id, status }) => id !== gateway.id && status === 'active');

function Failed({ failure, gateway }: { failure: ApiFailure | null; gateway: Gateway }) {
  if (failure === null) return null;
  return (
    <FailureNote failure={failure}>
      {failure.message} <RemovalHint details={failure.details} settings={gateway.settings} />
    </FailureNote>
  );
}
