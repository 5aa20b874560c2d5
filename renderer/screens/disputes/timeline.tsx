import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { DisputeDetail, TransactionDetail } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMay, useMerchant } from '#renderer/session';
import { sentenceCase, TimeText } from '#renderer/ui';
import { paymentQuery } from './queries.ts';

interface Happened {
  readonly at: string;
  readonly text: string;
}

const MOVEMENTS: Readonly<Record<string, string>> = {
  chargeback: 'Charged back',
  chargeback_reversed: 'Returned to you',
  dispute_fee: 'Fee of the processor',
};

/** Returns the events of the payment and of its dispute, oldest first. */
function eventsOf(dispute: DisputeDetail, payment: TransactionDetail | undefined): Happened[] {
  const { currency } = dispute;
  const closing = { won: 'Won', lost: 'Lost', accepted: 'Accepted' }[dispute.status as 'won' | 'lost' | 'accepted'];
  return [
    ...(payment?.history ?? []).map(({ at, action, result, amount }) => ({
      at,
      text: `${sentenceCase(action.replaceAll('_', ' '))}: ${result}${amount === null ? '' : `, ${writeMoney(amount, currency)}`}`,
    })),
    { at: dispute.createdAt, text: `Dispute recorded by ${dispute.createdBy}` },
    ...dispute.movements.map(({ at, kind, amount }) => ({
      at,
      text: `${MOVEMENTS[kind] ?? kind}: ${writeMoney(Math.abs(amount), currency)}`,
    })),
    ...(dispute.submittedAt === null ? [] : [{ at: dispute.submittedAt, text: 'Evidence submitted' }]),
    ...(dispute.concludedAt === null || closing === undefined ? [] : [{ at: dispute.concludedAt, text: closing }]),
  ].toSorted((left, right) => (left.at < right.at ? -1 : 1));
}

/** Events of the payment and its dispute. */
export function Timeline({ dispute }: { dispute: DisputeDetail }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const payment = useQuery({ ...paymentQuery(dispute.transactionId), enabled: may('transactions:read') });
  return (
    <Box component="section" aria-label="What happened">
      <Typography variant="h3" sx={{ fontSize: 14, mb: 2 }}>
        What happened
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5, fontSize: 13 }}>
        {eventsOf(dispute, payment.data).map(({ at, text }) => (
          <Box component="li" key={`${at} ${text}`} sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
            <span>{text}</span>
            <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
              <TimeText at={at} timeZone={timezone} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
