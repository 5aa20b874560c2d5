import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, QueueEntryDetail } from '#renderer/base/client';
import { refusalOf, serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { cardText } from '#renderer/base/payment-methods';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  actorText,
  CopyText,
  dayText,
  FactList,
  FailureNote,
  PanelForm,
  QueryContent,
  Section,
  StatusChip,
  TimeText,
  useHeadingFocus,
  useIsHeld,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { RecordLink } from '#renderer/shared/record-links';
import { lastFourText } from '#shared/card-brands';
import { CancelPanel, ResolvePanel } from './closing-panels.tsx';
import { entryQuery, refreshQueue, retry } from './queries.ts';
import { attemptsText, nextStepText, REFUND_METHODS } from './texts.ts';

const CLOSED = new Set(['resolved', 'cancelled']);

/** Details of a declined refund: next step, actions and past attempts. */
export function EntryView({ entryId, takesFocus }: { entryId: string; takesFocus: boolean }) {
  const entry = useQuery(entryQuery(entryId));
  return <QueryContent query={entry}>{(data) => <Opened entry={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ entry, takesFocus }: { entry: QueueEntryDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const [panel, setPanel] = useState<keyof typeof entry.actions>();
  const heading = useHeadingFocus(takesFocus);
  const money = writeMoney(entry.amount, entry.currency);
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  const retrying = useSubmit({
    send: () => retry(entry.id),
    refresh: refreshQueue,
    announcement: t('Retrying the refund now.'),
    onClose: close,
    onFailure: close,
  });
  const isHeld = useIsHeld(entry.id);
  const action = (name: keyof typeof entry.actions, label: string) => ({
    label,
    reason: refusalOf(entry.actions[name]),
    isOpen: panel === name,
    run: () => setPanel(name),
  });

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: entry.amount, currency: entry.currency }} status={entry.status} headingRef={heading}>
        <span>{t('declined')}</span>
        <TimeText at={entry.createdAt} timeZone={timezone} />
      </RecordHeader>
      <Alert severity={entry.status === 'failed' ? 'warning' : entry.status === 'resolved' ? 'success' : 'info'}>
        {isHeld ? t('This refund is closed in a few seconds. Until then, you can undo it.') : nextStepText(entry, money, timezone)}
      </Alert>
      {retrying.failure && <Conflict failure={retrying.failure} />}
      <RecordActions
        group={t('This refund')}
        actions={
          may('refunds:write') && !CLOSED.has(entry.status) && !isHeld
            ? [
                { ...action('retry', t('Retry now')), keys: 'T' },
                { ...action('resolve', t('Resolve')), keys: 'S' },
                { ...action('cancel', t('Cancel refund')), keys: 'X', isDangerous: true },
              ]
            : []
        }
      />
      {panel === 'retry' && (
        <PanelForm
          {...retrying}
          failure={null}
          title={t('Retry now')}
          explanation={t(
            'Sends the refund of {{money}} to the processor again. If it is approved, the money leaves and you can’t undo it.',
            {
              money,
            },
          )}
          submitLabel={t('Refund {{money}}', { money })}
          focusesSubmit
        />
      )}
      {panel === 'resolve' && <ResolvePanel entry={entry} onClose={close} />}
      {panel === 'cancel' && <CancelPanel entry={entry} onClose={close} />}
      <FactList
        facts={[
          [t('Customer'), entry.customer?.name],
          [t('Email'), entry.customer?.email],
          [t('Card'), entry.card && cardText(entry.card)],
          [t('Account'), entry.bankAccount && lastFourText(entry.bankAccount.last4)],
          [t('Decline reason'), `${serviceText(entry.declineReason)} (${entry.declineCode})`],
          [t('Processor response'), `${entry.gatewayType}: ${serviceText(entry.gatewayResponse.message)}`],
          [t('Attempts'), attemptsText(entry)],
          [t('Refund method'), entry.refundMethod && (REFUND_METHODS[entry.refundMethod] ?? entry.refundMethod)],
          [t('Refund date'), entry.refundDate && dayText(entry.refundDate)],
          [t('Resolved by'), entry.resolvedBy && actorText(entry.resolvedBy)],
          [t('Notes'), entry.resolutionNotes ?? entry.cancellationNotes],
          [t('Canceled by'), entry.cancelledBy && actorText(entry.cancelledBy)],
          [t('Cancellation reason'), entry.cancellationReason],
          [t('Original sale'), <RecordLink key="sale" resourceId={entry.transactionId} />],
          [t('Refund ID'), <CopyText key="refund" text={entry.refundTransactionId} label={t('Refund ID')} />],
          [t('Entry ID'), <CopyText key="entry" text={entry.id} label={t('Entry ID')} />],
        ]}
      />
      <AttemptList attempts={entry.attempts} />
    </Box>
  );
}

/** Failure of an action; names the person who closed the entry in the meantime. */
function Conflict({ failure }: { failure: ApiFailure }) {
  const { closedBy, status } = failure.details;
  if (failure.status === 409 && typeof closedBy === 'string') {
    return (
      <FailureNote failure={failure}>
        {status === 'resolved'
          ? t('This refund was already resolved by {{user}}. The page is now up to date.', { user: actorText(closedBy) })
          : t('This refund was already canceled by {{user}}. The page is now up to date.', { user: actorText(closedBy) })}
      </FailureNote>
    );
  }
  return <FailureNote failure={failure} />;
}

/** Retries with the responses of the processor. */
function AttemptList({ attempts }: { attempts: QueueEntryDetail['attempts'] }) {
  const { timezone } = useMerchant();
  return (
    <Section title={t('Retries')}>
      {attempts.length === 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No retries yet.')}</Box>}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {attempts.map(({ attemptNumber, attemptedAt, result, error }) => (
          <Box
            component="li"
            key={attemptNumber}
            sx={(theme) => ({
              display: 'grid',
              gridTemplateColumns: '28px auto minmax(0, 1fr)',
              gap: 3,
              alignItems: 'center',
              py: 2,
              fontSize: 13,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <Box component="span" className="figures" sx={{ color: 'text.secondary' }}>
              {attemptNumber}
            </Box>
            <StatusChip state={result} />
            <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              <TimeText at={attemptedAt} timeZone={timezone} />
              {error && ` · ${serviceText(error)}`}
            </Box>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
