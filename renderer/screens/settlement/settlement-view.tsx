import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Settlement } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordEntry, RecordHeader } from '#renderer/kit/record';
import {
  CopyText,
  dayText,
  Entry,
  FactList,
  fullTime,
  MoneyText,
  MutedText,
  QueryContent,
  Section,
  StatusChip,
  TimeText,
  useHeadingFocus,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { paymentFactsText } from '#renderer/shared/receipt';
import { EntryList } from './entry-list.tsx';
import { LINES_SHOWN, linesQuery, paymentsQuery, settlementQuery } from './queries.ts';
import { Sum } from './sum.tsx';
import { LINE_CHIPS, shownState, unpaidAmount } from './texts.ts';

export interface OpenedProps {
  readonly id: string;
  readonly takesFocus: boolean;
  /** Query part of the address that stays when another record opens. */
  readonly search: string;
}

/** One settlement with its amounts, lines and payouts. */
export function SettlementView({ id, takesFocus, search }: OpenedProps) {
  const settlement = useQuery(settlementQuery(id));
  return <QueryContent query={settlement}>{(data) => <Opened settlement={data} takesFocus={takesFocus} search={search} />}</QueryContent>;
}

interface Props extends Omit<OpenedProps, 'id'> {
  readonly settlement: Settlement;
}

function Opened({ settlement, takesFocus, search }: Props) {
  const { timezone } = useMerchant();
  const canSee = useMay()('transactions:read');
  const heading = useHeadingFocus(takesFocus);
  const {
    settlementId,
    currency,
    captures,
    refunds,
    fees,
    netAmount,
    paidAmount,
    transactionCount,
    refundCount,
    disputes,
    disputeCount,
    origin,
    cutoffAt,
    paidAt,
  } = settlement;
  const rest = unpaidAmount(settlement);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: netAmount, currency: currency }} status={shownState(settlement)} of="settlement" headingRef={heading}>
        <span>{t('Settlement of {{day}}', { day: dayText(settlement.settlementDate) })}</span>
      </RecordHeader>
      <Sum
        label={t('Net calculation')}
        currency={currency}
        parts={[
          {
            name: t('Captures ({{count, number}})', { count: transactionCount }),
            amount: captures,
            to: canSee ? `/transactions?settlementId=${settlementId}` : undefined,
          },
          { name: t('Refunds ({{count, number}})', { count: refundCount }), amount: refunds, isLess: true },
          ...(disputeCount > 0 ? [{ name: t('Disputes ({{count, number}})', { count: disputeCount }), amount: disputes }] : []),
          { name: t('Fees'), amount: fees, isLess: true },
          { name: t('Net'), amount: netAmount, isTotal: true },
        ]}
      />
      <FactList
        facts={[
          [t('Cutoff'), fullTime(cutoffAt, timezone)],
          [t('Created'), origin === 'manual' ? t('Manually') : t('By schedule')],
          paidAt ? [t('Paid out'), fullTime(paidAt, timezone)] : [t('In payouts'), paidAmount !== 0 && writeMoney(paidAmount, currency)],
          [t('Unpaid'), rest > 0 && writeMoney(rest, currency)],
          [t('Owed'), rest < 0 && t('{{amount}}, deducted from the next payout', { amount: writeMoney(-rest, currency) })],
          [t('Settlement ID'), <CopyText key="id" text={settlementId} label={t('Settlement ID')} />],
        ]}
      />
      <Payments settlement={settlement} search={search} />
      <Lines settlement={settlement} />
    </Box>
  );
}

/** Payouts and batches that include the settlement. */
function Payments({ settlement: { merchantId, settlementId, currency }, search }: Pick<Props, 'settlement' | 'search'>) {
  const { timezone } = useMerchant();
  const payments = useQuery(paymentsQuery(merchantId, settlementId));
  return (
    <Section title={t('Payouts')}>
      <QueryContent query={payments} isEmpty={(rows) => rows.length === 0} empty={<MutedText>{t('No payouts yet.')}</MutedText>}>
        {(rows) => (
          <EntryList>
            {rows.map((row) => (
              <RecordEntry
                key={row.id}
                to={{ pathname: `/settlement/${row.id}`, search }}
                name={`${row.kind === 'batch' ? t('Batch') : t('Payout')} ${row.reference}`}
                state={row.status}
                of="payout"
                note={
                  <>
                    <TimeText at={row.paidAt ?? row.createdAt} timeZone={timezone} />
                    {row.kind === 'batch' && `, ${t('in total')}`}
                  </>
                }
                amount={row.amount}
                currency={currency}
              />
            ))}
          </EntryList>
        )}
      </QueryContent>
    </Section>
  );
}

/** Captures, refunds and dispute movements of the settlement, each with its payment and a link to its transaction. */
function Lines({ settlement: { settlementId, currency } }: Pick<Props, 'settlement'>) {
  const { timezone } = useMerchant();
  const canSee = useMay()('transactions:read');
  const [page, setPage] = useState(1);
  const lines = useQuery(linesQuery(settlementId, page));
  return (
    <Section title={t('Payments')}>
      <QueryContent query={lines} isEmpty={({ total }) => total === 0} empty={<MutedText>{t('No payments.')}</MutedText>}>
        {({ items, total }) => (
          <>
            <EntryList>
              {items.map((line) => (
                <Entry key={line.id}>
                  <StatusChip {...LINE_CHIPS[line.kind]} />
                  {canSee ? (
                    <Link component={RouterLink} to={`/transactions/${line.transactionId}`}>
                      {paymentFactsText(line.payment) || line.transactionId}
                    </Link>
                  ) : (
                    <span>{paymentFactsText(line.payment)}</span>
                  )}
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    <TimeText at={line.at} timeZone={timezone} />
                  </Box>
                  <Box component="span" sx={{ marginInlineStart: 'auto', display: 'inline-flex', gap: 3 }}>
                    {line.fee !== 0 && (
                      <Box component="span" sx={{ color: 'text.secondary' }}>
                        <Trans i18nKey="fee <0/>" components={[<MoneyText key="0" amount={line.fee} currency={currency} />]} />
                      </Box>
                    )}
                    <MoneyText amount={line.amount} currency={currency} sx={{ fontWeight: 600 }} />
                  </Box>
                </Entry>
              ))}
            </EntryList>
            {total > LINES_SHOWN && <Pages page={page} total={total} onPage={setPage} />}
          </>
        )}
      </QueryContent>
    </Section>
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const first = (page - 1) * LINES_SHOWN + 1;
  const last = Math.min(page * LINES_SHOWN, total);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mt: 2, fontSize: 13 }}>
      <span>{t('{{first}} to {{last}} of {{count, number}} payments', { first, last, count: total })}</span>
      <Box sx={{ marginInlineStart: 'auto', display: 'flex', gap: 2 }}>
        <Button size="small" disabled={page === 1} onClick={() => onPage(page - 1)}>
          {t('Previous payments')}
        </Button>
        <Button size="small" disabled={last === total} onClick={() => onPage(page + 1)}>
          {t('Next payments')}
        </Button>
      </Box>
    </Box>
  );
}
