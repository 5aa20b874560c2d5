import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ApiFailure, CardReader } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import {
  actorText,
  announce,
  ConfirmDialog,
  EmptyState,
  FailureNote,
  QueryContent,
  StatusChip,
  showToast,
  TimeText,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import {
  cardReadersQuery,
  checkCardReader,
  openReader,
  refreshCardReaders,
  useMaySimulate,
  useOpenReader,
} from '#renderer/shared/card-readers';
import type { ListTabProps } from '../form-tabs.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { ReaderDialog } from './reader-dialog.tsx';
import { removeReader } from './requests.ts';

/** Card readers of the merchant: pairing, names, workstations and states. */
export function CardReadersTab({ merchantId, isNewOpen, onNewOpen }: ListTabProps) {
  const canWrite = useMay()('terminals:write');
  const query = useQuery(cardReadersQuery(merchantId));
  const [changing, setChanging] = useState<CardReader>();
  const [crediting, setCrediting] = useState<CardReader>();
  const [removing, setRemoving] = useState<CardReader>();
  const readers = query.data ?? [];
  const remove = useMutation({
    mutationFn: ({ terminalId }: CardReader) => removeReader(terminalId),
    onSuccess: async (_, { name, terminalId }) => {
      await refreshCardReaders();
      if (useOpenReader.getState().terminalId === terminalId) openReader(null);
      showToast(t('{{name}} was removed.', { name }));
    },
    onSettled: () => setRemoving(undefined),
  });
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
        {t('The customer presents the card to the reader, and Paydesk never sees its number. One payment runs on a reader at a time.')}
      </Box>
      <QueryContent
        query={query}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState title={t('No card readers yet')}>
            {canWrite
              ? t('Pair a card reader to take cards by chip, tap and swipe on the Sell screen.')
              : t('Ask a manager to pair a card reader.')}
          </EmptyState>
        }
      >
        {() => (
          <Box component="ul" aria-label={t('Card readers')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {readers.map((reader) => (
              <Reader
                key={reader.terminalId}
                reader={reader}
                canWrite={canWrite}
                onChange={() => setChanging(reader)}
                onCredit={() => setCrediting(reader)}
                onRemove={() => {
                  remove.reset();
                  setRemoving(reader);
                }}
                failure={remove.variables?.terminalId === reader.terminalId ? remove.error : null}
              />
            ))}
          </Box>
        )}
      </QueryContent>
      {(changing || isNewOpen) && (
        <ReaderDialog
          merchantId={merchantId}
          reader={changing}
          nextNumber={readers.length + 1}
          onClose={() => {
            setChanging(undefined);
            onNewOpen(false);
          }}
        />
      )}
      {crediting && <CreditDialog reader={crediting} onClose={() => setCrediting(undefined)} />}
      {removing && (
        <ConfirmDialog
          title={t('Remove {{name}}?', { name: removing.name })}
          isOpen
          submitLabel={t('Remove {{name}}', { name: removing.name })}
          isDangerous
          isBusy={remove.isPending}
          onSubmit={() => remove.mutate(removing)}
          onClose={() => setRemoving(undefined)}
        >
          {t('It takes no more payments until it is paired again. Its payments are kept and can still be refunded.')}
        </ConfirmDialog>
      )}
    </Box>
  );
}

interface ReaderProps {
  readonly reader: CardReader;
  readonly canWrite: boolean;
  readonly onChange: () => void;
  readonly onCredit: () => void;
  readonly onRemove: () => void;
  /** Error of the last removal. */
  readonly failure: ApiFailure | null;
}

function Reader({ reader, canWrite, onChange, onCredit, onRemove, failure }: ReaderProps) {
  const maySimulate = useMaySimulate();
  const may = useMay();
  const mayRead = may('transactions:read');
  const { terminalId, name, state } = reader;
  const check = useMutation({
    mutationFn: () => checkCardReader(terminalId),
    onSuccess: (checked) =>
      announce(checked.state === 'offline' ? t('{{name}} is offline.', { name }) : t('{{name}} is online.', { name })),
  });
  const shownFailure = check.error ?? failure;
  const asksTip = reader.asksTip && t('asks for a tip');
  const facts = [reader.model, reader.serialNumber, reader.address, reader.workstation, reader.gateway, asksTip].filter(Boolean).join(', ');
  return (
    <Box
      component="li"
      aria-label={name}
      sx={(theme) => ({ display: 'grid', gap: 2, py: 4, borderTop: `1px solid ${theme.vars.palette.divider}` })}
    >
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box component="h2" sx={{ m: 0, fontSize: 14, lineHeight: '22px', fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Box>
        <StatusChip state={state} />
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>{facts}</Box>
      </Box>
      <Box sx={{ fontSize: 13 }}>
        <ReaderState reader={reader} />
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mx: -2, '& button': { minWidth: 0 } }}>
        {maySimulate && (
          <Button
            size="small"
            variant="text"
            onClick={() => openReader(terminalId)}
            aria-label={t('Open simulated reader {{name}}', { name })}
          >
            {t('Open simulated reader')}
          </Button>
        )}
        {mayRead && (
          <Button
            size="small"
            variant="text"
            component={RouterLink}
            to={`/transactions?terminalId=${terminalId}`}
            aria-label={t('Payments on {{name}}', { name })}
          >
            {t('Payments')}
          </Button>
        )}
        {may('credits:write') && (
          <Button size="small" variant="text" onClick={onCredit} aria-label={t('Pay to a card on {{name}}', { name })}>
            {t('Pay to a card')}
          </Button>
        )}
        {canWrite && (
          <>
            <Button
              size="small"
              variant="text"
              loading={check.isPending}
              onClick={() => check.mutate()}
              aria-label={t('Check again: {{name}}', { name })}
            >
              {t('Check again')}
            </Button>
            <Button size="small" variant="text" onClick={onChange} aria-label={t('Edit {{name}}', { name })}>
              {t('Edit')}
            </Button>
            <Button size="small" variant="text" color="error" onClick={onRemove} aria-label={t('Remove {{name}}', { name })}>
              {t('Remove')}
            </Button>
          </>
        )}
      </Box>
      {shownFailure && <FailureNote failure={shownFailure} />}
    </Box>
  );
}

function ReaderState({ reader: { state, connectionAt, payment } }: { reader: CardReader }) {
  const { timezone } = useMerchant();
  const since = [<TimeText key="0" at={connectionAt} timeZone={timezone} />];
  if (state === 'offline') return <Trans i18nKey="Offline since <0/>. Check its power and its network." components={since} />;
  if (payment === null) return <Trans i18nKey="Online since <0/>." components={since} />;
  return (
    <Trans
      i18nKey="<0>Payment</0> of {{person}} in progress."
      components={[<Link key="0" component={RouterLink} to={`/transactions/${payment.transactionId}`} underline="always" />]}
      values={{ person: actorText(payment.usedBy) }}
    />
  );
}
