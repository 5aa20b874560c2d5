import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval, ApprovalWithResult } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { actorText, FactList, fullTime, MoneyText, QueryContent, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { DecisionDialog, factsOf, kindText, paymentFact, requestsOfDayFact } from '#renderer/shared/approvals';
import { approvalQuery } from './queries.ts';

/** Details of a request: what, who, how much, and the decision. */
export function ApprovalView({ approvalId, takesFocus }: { readonly approvalId: string; readonly takesFocus: boolean }) {
  const approval = useQuery(approvalQuery(approvalId));
  return <QueryContent query={approval}>{(data) => <Opened approval={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ approval, takesFocus }: { readonly approval: ApprovalWithResult; readonly takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const { user } = useMe();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const [isDeciding, setDeciding] = useState(false);
  const { amount, currency, status, decidedBy, decidedAt, decidedVia, note } = approval;
  const canDecide = status === 'pending' && may('approvals:write') && !approval.requesterUserIds.includes(user.userId);
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <RecordHeader title={kindText(approval)} status={status} of="approval" headingRef={heading}>
        {amount !== null && <MoneyText amount={amount} currency={currency ?? ''} code sx={{ fontWeight: 650 }} />}
      </RecordHeader>
      <Box>{serviceText(approval.reason)}</Box>
      <RecordActions
        group={t('This approval')}
        actions={canDecide ? [{ label: t('Decide'), keys: 'D', run: () => setDeciding(true) }] : []}
      />
      <FactList
        facts={[
          [t('Requested by'), actorText(approval.requestedBy)],
          [t('Requested'), fullTime(approval.createdAt, timezone)],
          [t('Decided by'), decidedBy && (decidedVia === 'pin' ? `${actorText(decidedBy)}, ${t('with a PIN')}` : actorText(decidedBy))],
          [t('Decided'), decidedAt && fullTime(decidedAt, timezone)],
          [t('Reason for rejecting'), note],
          [t('Result'), resultText(approval)],
          ...factsOf(approval),
          paymentFact(approval),
          requestsOfDayFact(approval),
        ]}
      />
      {isDeciding && <DecisionDialog approval={approval} onClose={() => setDeciding(false)} />}
    </Box>
  );
}

function resultText({ status, executedAt, resultStatus }: Approval): string | null {
  if (status !== 'approved') return null;
  if (executedAt === null) return t('In progress');
  if (resultStatus === null) return t('Done; its response was lost');
  if (resultStatus < 400) return t('Done');
  return resultStatus < 500 ? t('Refused by the service; nothing was done') : t('Failed; nothing was done');
}
