import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import GlobalStyles from '@mui/material/GlobalStyles';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DisputeDetail } from '#renderer/base/client';
import { refusalOf, serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { type RecordAction, RecordActions, RecordHeader } from '#renderer/kit/record';
import { CopyText, dayText, FactList, focusField, QueryContent, TimeText, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { disputeQuery, nextStepText, reasonText } from '#renderer/shared/disputes';
import { PaymentTimeline } from '#renderer/shared/payment-timeline';
import { paidWith } from '#renderer/shared/receipt';
import { AcceptPanel, DecisionPanel, NotesPanel, ReopenPanel, SubmitPanel } from './action-panels.tsx';
import { EvidencePanel, LETTER_FIELD } from './evidence-panel.tsx';
import { evidenceQuery, paymentQuery } from './queries.ts';

/** Details of a dispute: next step, evidence, and what happened. */
export function DisputeView({ disputeId, takesFocus }: { disputeId: string; takesFocus: boolean }) {
  const dispute = useQuery(disputeQuery(disputeId));
  return <QueryContent query={dispute}>{(data) => <Opened dispute={data} takesFocus={takesFocus} />}</QueryContent>;
}

type Panel = 'submit' | 'reopen' | 'accept' | 'decision' | 'notes';

function Opened({ dispute, takesFocus }: { dispute: DisputeDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const [panel, setPanel] = useState<Panel>();
  const heading = useHeadingFocus(takesFocus);
  const evidence = useQuery(evidenceQuery(dispute.disputeId));
  const write = (amount: number) => writeMoney(amount, dispute.currency);
  const payment = useQuery({ ...paymentQuery(dispute.transactionId), enabled: may('transactions:read') });
  const hasPack = evidence.data?.packs[0] !== undefined;
  const mayChange = may('disputes:write');
  const { actions } = dispute;
  const canRespond = actions.submit.allowed;
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  const toPanel = (id: Panel, keys: string, label: string, reason: string | undefined): RecordAction => ({
    keys,
    label,
    reason,
    isOpen: panel === id,
    run: () => setPanel(id),
  });
  const submit = toPanel('submit', 'S', t('Mark as submitted…'), refusalOf(actions.submit));
  const decide = toPanel('decision', 'D', t('Record decision'), refusalOf(actions.conclude));
  const build: RecordAction = { keys: 'B', label: t('Build response'), run: () => focusField(LETTER_FIELD) };
  const print: RecordAction = { keys: 'P', label: t('Print the dispute'), run: () => window.print() };
  const offered = mayChange
    ? [
        // Without a pack, the evidence below is the next step.
        ...(canRespond && !hasPack ? [build] : []),
        submit,
        decide,
        toPanel('reopen', 'O', t('Reopen dispute'), refusalOf(actions.reopen)),
        { ...toPanel('accept', 'X', t('Accept dispute'), refusalOf(actions.accept)), isDangerous: true },
        toPanel('notes', 'N', t('Edit notes'), undefined),
        print,
      ]
    : [print];

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader
        title={{ amount: dispute.amount, currency: dispute.currency }}
        status={dispute.status}
        of="dispute"
        headingRef={heading}
      >
        <span>{reasonText(dispute)}</span>
        <TimeText at={dispute.createdAt} timeZone={timezone} />
      </RecordHeader>
      <Alert severity={dispute.awaitsResponse ? 'warning' : dispute.status === 'won' ? 'success' : 'info'}>
        {nextStepText(dispute, write)}
      </Alert>
      <RecordActions group={t('This dispute')} actions={offered} />
      {panel === 'submit' && <SubmitPanel dispute={dispute} evidence={evidence.data} onClose={close} />}
      {panel === 'reopen' && <ReopenPanel dispute={dispute} onClose={close} />}
      {panel === 'accept' && <AcceptPanel dispute={dispute} onClose={close} />}
      {panel === 'decision' && <DecisionPanel dispute={dispute} onClose={close} />}
      {panel === 'notes' && <NotesPanel dispute={dispute} onClose={close} />}
      <QueryContent query={evidence}>{(data) => <EvidencePanel dispute={dispute} evidence={data} canChange={canRespond} />}</QueryContent>
      <FactList
        facts={[
          [t('Reason'), dispute.reasonDescription && serviceText(dispute.reasonDescription)],
          [t('Due date'), dayText(dispute.dueDate)],
          [t('Withheld'), write(dispute.withheldAmount)],
          [t('Returned'), dispute.returnedAmount > 0 ? write(dispute.returnedAmount) : undefined],
          [t('Fees'), dispute.feesAmount > 0 ? write(dispute.feesAmount) : undefined],
          [t('Case at the processor'), dispute.processorCase],
          [t('Notes'), dispute.notes],
          [
            t('Disputed payment'),
            <Link key="payment" component={RouterLink} to={`/transactions/${dispute.transactionId}`}>
              {payment.data ? [paidWith(payment.data), write(payment.data.amount)].filter(Boolean).join(', ') : dispute.transactionId}
            </Link>,
          ],
          [t('Dispute ID'), <CopyText key="id" text={dispute.disputeId} label={t('Dispute ID')} />],
        ]}
      />
      {payment.data && <PaymentTimeline transaction={payment.data} />}
      <PrintStyle />
    </Box>
  );
}

/** Prints the open dispute alone: its drawer takes the place of the page, without buttons. */
function PrintStyle() {
  return (
    <GlobalStyles
      styles={{
        '@media print': {
          '#root :not([data-panel], [data-panel] *, :has([data-panel]))': { display: 'none !important' },
          ':has(> [data-panel])': { display: 'block !important', position: 'static !important' as 'static' },
          '[data-panel]': { position: 'static !important' as 'static', width: '100% !important', height: 'auto !important' },
          '[data-panel] *': { overflow: 'visible !important' },
          '[data-panel] .MuiButton-root, [data-panel] .MuiIconButton-root': { display: 'none' },
        },
      }}
    />
  );
}
