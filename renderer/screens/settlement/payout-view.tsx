import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { Payout } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordHeader } from '#renderer/kit/record';
import { CopyText, FactList, fullTime, QueryContent, Section, useHeadingFocus } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { EntryList } from './entry-list.tsx';
import { payoutQuery } from './queries.ts';
import { SettlementEntry } from './settlement-entry.tsx';
import type { OpenedProps } from './settlement-view.tsx';

/** One payout: the reference on the bank statement and the settlements that it paid. */
export function PayoutView({ id, takesFocus, search }: OpenedProps) {
  const payout = useQuery(payoutQuery(id));
  return <QueryContent query={payout}>{(data) => <Opened payout={data} takesFocus={takesFocus} search={search} />}</QueryContent>;
}

function Opened({ payout, takesFocus, search }: { payout: Payout } & Omit<OpenedProps, 'id'>) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const { payoutId, amount, currency, status, reference, paidAt, createdAt, settlements } = payout;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: amount, currency: currency }} status={status} of="payout" headingRef={heading}>
        <span>{t('Payout')}</span>
      </RecordHeader>
      <FactList
        facts={[
          [t('Reference'), <CopyText key="reference" text={reference} label={t('Reference')} />],
          [t('Paid'), fullTime(paidAt ?? createdAt, timezone)],
          [t('Payout ID'), <CopyText key="id" text={payoutId} label={t('Payout ID')} />],
        ]}
      />
      <Section title={t('Settlements paid')}>
        <EntryList>
          {settlements.map((part) => (
            <SettlementEntry key={part.settlementId} {...part} search={search} />
          ))}
        </EntryList>
      </Section>
    </Box>
  );
}
