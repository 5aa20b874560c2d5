import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ApiFailure, QueueEntryDetail } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMay, useMerchant } from '#renderer/session';
import {
  Answer,
  announce,
  CopyText,
  dayText,
  FactList,
  FailureNote,
  KeyHint,
  MoneyText,
  StatusChip,
  sentenceCase,
  TimeText,
  useHeadingFocus,
  useShortcuts,
} from '#renderer/ui';
import { AttemptList } from './attempt-list.tsx';
import { CancelPanel, ResolvePanel } from './closing-panels.tsx';
import { entryQuery, refreshQueue, retry } from './queries.ts';
import { reasonOf, whatComesNext } from './words.ts';

const CLOSED = new Set(['resolved', 'cancelled']);

/** One declined refund: what comes next, what can be done, what was tried. */
export function EntryView({ entryId, takesFocus }: { entryId: string; takesFocus: boolean }) {
  const entry = useQuery(entryQuery(entryId));
  return <Answer of={entry}>{(data) => <Opened entry={data} takesFocus={takesFocus} />}</Answer>;
}

function Opened({ entry, takesFocus }: { entry: QueueEntryDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const [panel, setPanel] = useState<'resolve' | 'cancel'>();
  const heading = useHeadingFocus(takesFocus);
  const figure = writeMoney(entry.amount, entry.currency);
  const again = useMutation({
    mutationFn: () => retry(entry.id),
    onSuccess: () => announce('The refund is tried again now.'),
    onSettled: () => refreshQueue(),
  });
  const canAct = may('refunds:write') && !CLOSED.has(entry.status);

  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  useShortcuts(
    'This refund',
    canAct
      ? [
          { keys: 'T', label: 'Try again now', run: () => again.mutate() },
          { keys: 'S', label: 'Resolve', run: () => setPanel('resolve') },
          { keys: 'X', label: 'Cancel', run: () => setPanel('cancel') },
        ]
      : [],
  );

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ pr: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ fontSize: 28, lineHeight: '36px' }}>
          <MoneyText amount={entry.amount} currency={entry.currency} code />
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={entry.status} />
          <span>declined</span>
          <TimeText at={entry.createdAt} timeZone={timezone} />
        </Box>
      </Box>
      <Alert severity={entry.status === 'failed' ? 'warning' : entry.status === 'resolved' ? 'success' : 'info'}>
        {whatComesNext(entry, figure, timezone)}
      </Alert>
      {again.error && <Conflict failure={again.error} />}
      {canAct && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button
            variant="contained"
            color="primary"
            loading={again.isPending}
            onClick={() => again.mutate()}
            endIcon={<KeyHint keys="T" />}
            aria-keyshortcuts="T"
          >
            Try again now
          </Button>
          <Button onClick={() => setPanel('resolve')} endIcon={<KeyHint keys="S" />} aria-keyshortcuts="S">
            Resolve
          </Button>
          <Button onClick={() => setPanel('cancel')} endIcon={<KeyHint keys="X" />} aria-keyshortcuts="X">
            Cancel
          </Button>
        </Box>
      )}
      {panel === 'resolve' && <ResolvePanel entry={entry} onClose={close} />}
      {panel === 'cancel' && <CancelPanel entry={entry} onClose={close} />}
      <FactList
        facts={[
          ['Customer', entry.customer?.name],
          ['E-mail', entry.customer?.email],
          ['Card', entry.card && `${sentenceCase(entry.card.brand)} ending in ${entry.card.last4}`],
          ['Account', entry.bankAccount && `ending in ${entry.bankAccount.last4}`],
          ['Declined because', `${reasonOf(entry)} (${entry.declineCode})`],
          ['Processor said', `${entry.gatewayType}: ${entry.gatewayResponse.message}`],
          ['Tries', `${entry.attemptCount} of ${entry.maxAttempts}`],
          ['Given back by', entry.refundMethod],
          ['On', entry.refundDate && dayText(entry.refundDate)],
          ['Resolved by', entry.resolvedBy],
          ['Notes', entry.resolutionNotes ?? entry.cancellationNotes],
          ['Cancelled by', entry.cancelledBy],
          ['Reason', entry.cancellationReason],
          [
            'Original sale',
            <Link key="sale" component={RouterLink} to={`/transactions/${entry.transactionId}`} className="mono">
              {entry.transactionId}
            </Link>,
          ],
          ['Refund', <CopyText key="refund" text={entry.refundTransactionId} what="Refund id" />],
          ['Entry', <CopyText key="entry" text={entry.id} what="Entry id" />],
        ]}
      />
      <AttemptList attempts={entry.attempts} />
    </Box>
  );
}

/** A refusal that another person caused names that person. */
function Conflict({ failure }: { failure: ApiFailure }) {
  const { closedBy, status } = failure.details;
  if (failure.status === 409 && typeof closedBy === 'string') {
    return (
      <FailureNote failure={failure}>
        This refund is {String(status)} already, by {closedBy}. What you see is up to date now.
      </FailureNote>
    );
  }
  return <FailureNote failure={failure} />;
}
