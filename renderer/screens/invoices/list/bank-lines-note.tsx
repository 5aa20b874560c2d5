import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { toDoQuery } from '#renderer/shared/to-do';

/** Bank lines without a match, which may pay invoices. Nothing is shown if there are none. */
export function BankLinesNote({ merchantId }: { readonly merchantId: string }) {
  const count = useQuery(toDoQuery(merchantId, 'bank_line')).data?.items[0]?.count ?? 0;
  if (count === 0) return null;
  return (
    <Box sx={{ fontSize: 14 }}>
      {t('{{count, number}} bank lines without a match', { count })}.{' '}
      <Link component={RouterLink} to="/reconciliation/bank" underline="always" sx={{ font: 'inherit' }}>
        {t('Match bank lines')}
      </Link>
    </Box>
  );
}
