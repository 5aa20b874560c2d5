import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DisputeDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import {
  CopyText,
  dayText,
  FactList,
  KeyHint,
  NOT_PRINTED,
  QueryContent,
  RecordHeader,
  TimeText,
  useHeadingFocus,
  useShortcuts,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { disputeQuery, nextStepText, reasonText } from '#renderer/shared/disputes';
import { PaymentTimeline } from '#renderer/shared/payment-timeline';
import { AcceptPanel, DecisionPanel, NotesPanel, ReopenPanel, SubmitPanel } from './action-panels.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { PrintStyle } from './print-style.tsx';
import { evidenceQuery, paymentQuery } from './queries.ts';

/** Details of a dispute: next step, evidence, and what happened. */
export function DisputeView({ disputeId, takesFocus }: { disputeId: string; takesFocus: boolean }) {
  const dispute = useQuery(disputeQuery(disputeId));
  return <QueryContent query={dispute}>{(data) => <Opened dispute={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ dispute, takesFocus }: { dispute: DisputeDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const [panel, setPanel] = useState<'submit' | 'reopen' | 'accept' | 'decision' | 'notes'>();
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
  useShortcuts(t('This dispute'), [
    ...(canRespond ? [{ keys: 'S', label: t('Mark as submitted'), run: () => setPanel('submit') }] : []),
    ...(actions.reopen.allowed ? [{ keys: 'O', label: t('Reopen dispute'), run: () => setPanel('reopen') }] : []),
    ...(actions.accept.allowed ? [{ keys: 'X', label: t('Accept dispute'), run: () => setPanel('accept') }] : []),
    ...(actions.conclude.allowed ? [{ keys: 'D', label: t('Record decision'), run: () => setPanel('decision') }] : []),
    ...(mayChange ? [{ keys: 'N', label: t('Edit notes'), run: () => setPanel('notes') }] : []),
    { keys: 'P', label: t('Print the dispute'), run: () => window.print() },
  ]);

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader amount={dispute.amount} currency={dispute.currency} status={dispute.status} of="dispute" headingRef={heading}>
        <span>{reasonText(dispute)}</span>
        <TimeText at={dispute.createdAt} timeZone={timezone} />
      </RecordHeader>
      <Alert severity={dispute.awaitsResponse ? 'warning' : dispute.status === 'won' ? 'success' : 'info'}>
        {nextStepText(dispute, write)}
      </Alert>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, ...NOT_PRINTED }}>
        {canRespond && (
          <Button
            {...(hasPack && { variant: 'contained', color: 'primary' })}
            onClick={() => setPanel('submit')}
            endIcon={<KeyHint keys="S" />}
            aria-keyshortcuts="S"
          >
            {t('Mark as submitted…')}
          </Button>
        )}
        {actions.reopen.allowed && (
          <Button onClick={() => setPanel('reopen')} endIcon={<KeyHint keys="O" />} aria-keyshortcuts="O">
            {t('Reopen dispute')}
          </Button>
        )}
        {actions.conclude.allowed && (
          <Button onClick={() => setPanel('decision')} endIcon={<KeyHint keys="D" />} aria-keyshortcuts="D">
            {t('Record decision')}
          </Button>
        )}
        {actions.accept.allowed && (
          <Button onClick={() => setPanel('accept')} endIcon={<KeyHint keys="X" />} aria-keyshortcuts="X">
            {t('Accept dispute')}
          </Button>
        )}
        {mayChange && (
          <Button onClick={() => setPanel('notes')} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
            {t('Edit notes')}
          </Button>
        )}
        <Button onClick={() => window.print()} endIcon={<KeyHint keys="P" />} aria-keyshortcuts="P">
          {t('Print')}
        </Button>
      </Box>
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
            <Link key="payment" component={RouterLink} to={`/transactions/${dispute.transactionId}`} className="mono">
              {dispute.transactionId}
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
