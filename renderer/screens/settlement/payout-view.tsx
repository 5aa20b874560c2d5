import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Payout } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordHeader } from '#renderer/kit/record';
import { CopyText, Entry, FactList, fullTime, MoneyText, QueryContent, Section, useHeadingFocus } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { EntryList } from './entry-list.tsx';
import { payoutQuery } from './queries.ts';
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
            <Entry key={part.settlementId}>
              <Link component={RouterLink} to={{ pathname: `/settlement/${part.settlementId}`, search }}>
                <span className="mono">{part.settlementId}</span>
              </Link>
              <Box component="span" sx={{ marginInlineStart: 'auto' }}>
                <MoneyText amount={part.amount} currency={currency} sx={{ fontWeight: 600 }} />
              </Box>
            </Entry>
          ))}
        </EntryList>
      </Section>
    </Box>
  );
}
