import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { dayText, Entry, MoneyText } from '#renderer/kit/ui';
import { settlementQuery } from './queries.ts';

interface SettlementEntryProps {
  readonly settlementId: string;
  /** Part of the settlement in a payout; its net amount if it is wholly in it. */
  readonly amount?: number;
  readonly search: string;
}

/** A settlement of a payout: its day with a link to it, and its amount. */
export function SettlementEntry({ settlementId, amount, search }: SettlementEntryProps) {
  const { data } = useQuery(settlementQuery(settlementId));
  return (
    <Entry>
      <Link component={RouterLink} to={{ pathname: `/settlement/${settlementId}`, search }}>
        {data ? t('Settlement of {{day}}', { day: dayText(data.settlementDate) }) : settlementId}
      </Link>
      <Box component="span" sx={{ marginInlineStart: 'auto' }}>
        {data && <MoneyText amount={amount ?? data.netAmount} currency={data.currency} sx={{ fontWeight: 600 }} />}
      </Box>
    </Entry>
  );
}
