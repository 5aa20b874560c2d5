import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DisputeDetail } from '#renderer/client';
import { disputeQuery, nextStepText, reasonText } from '#renderer/disputes';
import { writeMoney } from '#renderer/money';
import { PaymentTimeline } from '#renderer/payment-timeline';
import { useMay, useMerchant } from '#renderer/session';
import {
  announce,
  CopyText,
  dayText,
  FactList,
  FailureNote,
  KeyHint,
  NOT_PRINTED,
  QueryContent,
  RecordHeader,
  TimeText,
  useHeadingFocus,
  useShortcuts,
} from '#renderer/ui';
import { AcceptPanel, DecisionPanel, NotesPanel } from './action-panels.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { PrintStyle } from './print-style.tsx';
import { evidenceQuery, paymentQuery, refreshDisputes, submit } from './queries.ts';

const CLOSED = new Set(['lost', 'accepted']);

/** Details of a dispute: next step, evidence, and what happened. */
export function DisputeView({ disputeId, takesFocus }: { disputeId: string; takesFocus: boolean }) {
  const dispute = useQuery(disputeQuery(disputeId));
  return <QueryContent query={dispute}>{(data) => <Opened dispute={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ dispute, takesFocus }: { dispute: DisputeDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const [panel, setPanel] = useState<'accept' | 'decision' | 'notes'>();
  const heading = useHeadingFocus(takesFocus);
  const evidence = useQuery(evidenceQuery(dispute.disputeId));
  const write = (amount: number) => writeMoney(amount, dispute.currency);
  const payment = useQuery({ ...paymentQuery(dispute.transactionId), enabled: may('transactions:read') });
  const latestPack = evidence.data?.packs[0]?.packId;
  const submitting = useMutation({
    mutationFn: () => submit(dispute.disputeId, latestPack),
    onSuccess: () => announce('Recorded as submitted.'),
    onSettled: () => refreshDisputes(),
  });
  const mayChange = may('disputes:write');
  const canRespond = mayChange && dispute.awaitsResponse;
  const canDecide = mayChange && !CLOSED.has(dispute.status);
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  useShortcuts('This dispute', [
    ...(canRespond ? [{ keys: 'S', label: 'Record as submitted', run: () => submitting.mutate() }] : []),
    ...(canRespond && dispute.stage !== 'retrieval' ? [{ keys: 'X', label: 'Accept dispute', run: () => setPanel('accept') }] : []),
    ...(canDecide ? [{ keys: 'D', label: 'Record decision', run: () => setPanel('decision') }] : []),
    ...(mayChange ? [{ keys: 'N', label: 'Edit notes', run: () => setPanel('notes') }] : []),
    { keys: 'P', label: 'Print the dispute', run: () => window.print() },
  ]);

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader amount={dispute.amount} currency={dispute.currency} status={dispute.status} headingRef={heading}>
        <span>{reasonText(dispute)}</span>
        <TimeText at={dispute.createdAt} timeZone={timezone} />
      </RecordHeader>
      <Alert severity={dispute.awaitsResponse ? 'warning' : dispute.status === 'won' ? 'success' : 'info'}>
        {nextStepText(dispute, write)}
      </Alert>
      {submitting.error && <FailureNote failure={submitting.error} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, ...NOT_PRINTED }}>
        {canRespond && (
          <Button
            variant="contained"
            color="primary"
            loading={submitting.isPending}
            onClick={() => submitting.mutate()}
            endIcon={<KeyHint keys="S" />}
            aria-keyshortcuts="S"
          >
            Record as submitted
          </Button>
        )}
        {canDecide && (
          <Button onClick={() => setPanel('decision')} endIcon={<KeyHint keys="D" />} aria-keyshortcuts="D">
            Record decision
          </Button>
        )}
        {canRespond && dispute.stage !== 'retrieval' && (
          <Button onClick={() => setPanel('accept')} endIcon={<KeyHint keys="X" />} aria-keyshortcuts="X">
            Accept dispute
          </Button>
        )}
        {mayChange && (
          <Button onClick={() => setPanel('notes')} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
            Edit notes
          </Button>
        )}
        <Button onClick={() => window.print()} endIcon={<KeyHint keys="P" />} aria-keyshortcuts="P">
          Print
        </Button>
      </Box>
      {panel === 'accept' && <AcceptPanel dispute={dispute} onClose={close} />}
      {panel === 'decision' && <DecisionPanel dispute={dispute} onClose={close} />}
      {panel === 'notes' && <NotesPanel dispute={dispute} onClose={close} />}
      <QueryContent query={evidence}>{(data) => <EvidencePanel dispute={dispute} evidence={data} canChange={canRespond} />}</QueryContent>
      <FactList
        facts={[
          ['Reason', dispute.reasonDescription],
          ['Due date', dayText(dispute.dueDate)],
          ['Withheld', write(dispute.withheldAmount)],
          ['Returned', dispute.returnedAmount > 0 ? write(dispute.returnedAmount) : undefined],
          ['Fees', dispute.feesAmount > 0 ? write(dispute.feesAmount) : undefined],
          ['Case at the processor', dispute.processorCase],
          ['Notes', dispute.notes],
          [
            'Disputed payment',
            <Link key="payment" component={RouterLink} to={`/transactions/${dispute.transactionId}`} className="mono">
              {dispute.transactionId}
            </Link>,
          ],
          ['Dispute ID', <CopyText key="id" text={dispute.disputeId} label="Dispute ID" />],
        ]}
      />
      {payment.data && <PaymentTimeline transaction={payment.data} />}
      <PrintStyle />
    </Box>
  );
}
