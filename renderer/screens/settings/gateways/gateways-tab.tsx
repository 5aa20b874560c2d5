import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Gateway } from '#renderer/client';
import { type ApiFailure, gatewaysQuery } from '#renderer/client';
import { useIsSandbox, useMay } from '#renderer/session';
import { Answer, ConfirmDialog, EmptyNote, FailureNote, showToast } from '#renderer/ui';
import type { TabProps } from '../form-tabs.tsx';
import { refreshSettings } from '../sections.ts';
import { GatewayDialog } from './gateway-dialog.tsx';
import { GatewayEntry, WayOut } from './gateway-entry.tsx';
import { changeGateway, gatewayTypesQuery, removeGateway } from './requests.ts';

/** Operation that needs confirmation. */
interface Question {
  readonly kind: 'remove' | 'disable';
  readonly gateway: Gateway;
}

/** The gateways that take this merchant's payments, in their turn where no rule decides. */
export function GatewaysTab({ merchantId }: TabProps) {
  const gateways = useQuery(gatewaysQuery(merchantId));
  const types = useQuery(gatewayTypesQuery);
  const may = useMay();
  const isSandbox = useIsSandbox();
  // A live gateway decides where the money goes.
  const canWrite = may('merchants:write') && (isSandbox || may('owner:gateways'));
  const [isNewOpen, setNewOpen] = useState(false);
  const [editing, setEditing] = useState<Gateway>();
  const [question, setQuestion] = useState<Question>();
  const addRef = useRef<HTMLButtonElement>(null);
  const known = gateways.data?.items ?? [];
  const turn = useMutation({
    mutationFn: ({ id, status }: Gateway) => changeGateway(merchantId, id, { status: status === 'active' ? 'disabled' : 'active' }),
    onSuccess: ({ name, status }) =>
      showToast(status === 'active' ? `${name} is enabled.` : `${name} is disabled: every rule passes it over.`),
    onSettled: () => {
      setQuestion(undefined);
      return refreshSettings();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Gateway) => removeGateway(merchantId, id),
    onSuccess: async (_, { name }) => {
      await refreshSettings();
      showToast(`${name} is removed.`);
    },
    onSettled: () => setQuestion(undefined),
  });
  // Its own button disappears with it, so the dialog must close first.
  const isGone = remove.isSuccess && question === undefined;
  useEffect(() => {
    if (isGone) addRef.current?.focus();
  }, [isGone]);
  const askTurn = (gateway: Gateway) => {
    remove.reset();
    if (gateway.status === 'active' && isLastActive(gateway, known)) setQuestion({ kind: 'disable', gateway });
    else turn.mutate(gateway);
  };
  const askRemove = (gateway: Gateway) => {
    turn.reset();
    remove.reset();
    setQuestion({ kind: 'remove', gateway });
  };
  const failureOf = ({ id }: Gateway) =>
    turn.variables?.id === id && turn.error ? turn.error : remove.variables?.id === id ? remove.error : null;
  const add = canWrite && (
    <Button ref={addRef} variant="contained" color="primary" disabled={!types.data || !gateways.data} onClick={() => setNewOpen(true)}>
      Add a gateway
    </Button>
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 760, pb: 6 }}>
      <Box sx={{ display: 'flex', gap: 4, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary', flex: 1, minWidth: 240 }}>
          {isSandbox
            ? 'Sandbox gateways share one set of books; several of them let routing and fail-over be seen. '
            : 'A payment goes to the first of these that can take it. '}
          <Link component={RouterLink} to="/settings/routing" underline="always">
            Rules of the routing
          </Link>{' '}
          come first.
        </Box>
        {known.length > 0 && add}
      </Box>
      {types.error && <FailureNote failure={types.error} onRetry={() => void types.refetch()} />}
      <Answer
        of={gateways}
        skeleton={<Skeleton height={160} />}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyNote title="No payment gateway is set up" action={add}>
            {isSandbox
              ? 'Payments are refused until there is one.'
              : 'Payments are refused until there is one. You need the credentials of your account at a processor; they are checked with it before they are kept.'}
            {!canWrite && (isSandbox ? ' Ask an administrator to add one.' : ' Ask an owner to add one.')}
          </EmptyNote>
        }
      >
        {() => (
          <Box component="ul" aria-label="Gateways" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {known.map((gateway) => (
              <GatewayEntry
                key={gateway.id}
                gateway={gateway}
                label={types.data?.find(({ type }) => type === gateway.type)?.label ?? gateway.type}
                canWrite={canWrite}
                canCheck={may('merchants:write')}
                onEdit={types.data && (() => setEditing(gateway))}
                onTurn={() => askTurn(gateway)}
                isTurning={turn.isPending && turn.variables.id === gateway.id}
                onRemove={() => askRemove(gateway)}
              >
                <Failed failure={failureOf(gateway)} gateway={gateway} />
              </GatewayEntry>
            ))}
          </Box>
        )}
      </Answer>
      {isNewOpen && types.data && <GatewayDialog types={types.data} known={known} onClose={() => setNewOpen(false)} />}
      {editing && types.data && <GatewayDialog types={types.data} gateway={editing} known={known} onClose={() => setEditing(undefined)} />}
      {question && (
        <ConfirmDialog
          title={question.kind === 'remove' ? `Remove ${question.gateway.name}?` : `Disable ${question.gateway.name}?`}
          isOpen
          confirmLabel={question.kind === 'remove' ? `Remove ${question.gateway.name}` : `Disable ${question.gateway.name}`}
          isDangerous
          isBusy={turn.isPending || remove.isPending}
          onConfirm={() => (question.kind === 'remove' ? remove : turn).mutate(question.gateway)}
          onClose={() => setQuestion(undefined)}
        >
          {isLastActive(question.gateway, known) && 'No other gateway is active: every payment is refused until one is. '}
          {question.kind === 'remove'
            ? `Payments that it took stay, and can still be given back.${KEEP_KEY[question.gateway.settings ? 'account' : 'none']}`
            : 'What it took can still be given back.'}
        </ConfirmDialog>
      )}
    </Box>
  );
}

/** Refunds go through the account even if it takes no new payments. */
const KEEP_KEY = { account: ' Keep its key valid at the processor as long as refunds may come.', none: '' } as const;

const isLastActive = (gateway: Gateway, known: readonly Gateway[]) =>
  gateway.status === 'active' && !known.some(({ id, status }) => id !== gateway.id && status === 'active');

function Failed({ failure, gateway }: { failure: ApiFailure | null; gateway: Gateway }) {
  if (failure === null) return null;
  return (
    <FailureNote failure={failure}>
      {failure.message} <WayOut details={failure.details} settings={gateway.settings} />
    </FailureNote>
  );
}
