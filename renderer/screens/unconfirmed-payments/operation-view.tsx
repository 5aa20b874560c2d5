import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ApiFailure, UnconfirmedOperation } from '#renderer/base/client';
import { refusalOf, serviceText, t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { CopyText, FactList, FailureNote, fullTime, StatusChip, useHeadingFocus, useNow } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { type Inquired, inquire, refreshUnconfirmed } from './queries.ts';
import { RecordOutcomeDialog } from './record-outcome-dialog.tsx';
import { chipOf, inquiriesText, inquiryResultText, operationName, paidWith, paymentStatusText } from './texts.ts';

const TICK_MS = 1_000;

interface OperationViewProps {
  readonly operation: UnconfirmedOperation;
  readonly takesFocus: boolean;
  /** Shows the result of an action above the list, from which the operation may disappear. */
  readonly onResult: (text: string | undefined) => void;
}

/** An unconfirmed operation: what happens next, what a person can do, and the facts to find it at the gateway. */
export function OperationView({ operation, takesFocus, onResult }: OperationViewProps) {
  const { timezone } = useMerchant();
  const may = useMay();
  const realMs = useNow(true, TICK_MS);
  const heading = useHeadingFocus(takesFocus);
  const [open, setOpen] = useState<'conclude' | 'acknowledge'>();
  const { actions, stage, transactionId } = operation;
  const inquiry = useMutation<Inquired, ApiFailure>({
    mutationFn: () => inquire(operation.id),
    onMutate: () => onResult(undefined),
    onSuccess: (inquired) => onResult(inquiryResultText(operation, inquired)),
    onSettled: () => refreshUnconfirmed(),
  });
  const canDecide = may('settlement:write');
  const close = () => setOpen(undefined);
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <RecordHeader title={{ amount: operation.amount, currency: operation.currency }} headingRef={heading}>
        <StatusChip {...chipOf(operation)} />
        <span>{operationName(operation)}</span>
      </RecordHeader>
      <Alert severity={operation.needsPerson ? 'warning' : 'info'}>
        {serviceText(operation.message)} {stage === 'open' && `${inquiriesText(operation, realMs)}.`}
      </Alert>
      {inquiry.error && <FailureNote failure={inquiry.error} />}
      <RecordActions
        group={t('This payment')}
        actions={[
          ...(canDecide && stage === 'ended' ? [{ label: t('Resolve…'), keys: 'D', run: () => setOpen('acknowledge') }] : []),
          ...(canDecide && stage !== 'ended'
            ? [{ label: t('Record outcome…'), keys: 'D', reason: refusalOf(actions.conclude), run: () => setOpen('conclude') }]
            : []),
          ...(may('transactions:write') && stage === 'open'
            ? [
                {
                  label: t('Check now'),
                  keys: 'A',
                  reason: refusalOf(actions.inquire),
                  isBusy: inquiry.isPending,
                  run: () => inquiry.mutate(),
                },
              ]
            : []),
        ]}
      />
      <FactList
        facts={[
          [t('Customer'), operation.customerName],
          [t('Paid with'), paidWith(operation)],
          [
            t('Payment'),
            <Link key="payment" component={RouterLink} to={`/transactions/${transactionId}`}>
              {t('View transaction')}
            </Link>,
          ],
          [t('Sent'), fullTime(operation.since, timezone)],
          [t('Gateway'), operation.gateway],
          [t('Our reference'), <CopyText key="reference" text={operation.processorRef} label={t('Our reference')} />],
        ]}
      />
      {open === 'acknowledge' && (
        <AcknowledgeDialog
          operation={operation}
          onClose={close}
          onDone={() => {
            close();
            onResult(t('{{operation}}: resolved.', { operation: operationName(operation) }));
          }}
        />
      )}
      {open === 'conclude' && (
        <RecordOutcomeDialog
          operation={operation}
          onClose={close}
          onRecorded={({ status }) => {
            close();
            onResult(`${t('{{operation}}: outcome recorded.', { operation: operationName(operation) })} ${paymentStatusText(status)}`);
          }}
        />
      )}
    </Box>
  );
}
