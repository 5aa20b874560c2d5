import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Payment } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { methodOf, payerOf } from '#renderer/shared/tenders';
import { Panel } from './panel.tsx';
import { lastSalesQuery } from './queries.ts';

/** The latest payments, each with a link to its details. */
export function LastSales() {
  const { merchantId } = useMerchant();
  const query = useQuery(lastSalesQuery(merchantId));
  return (
    <Panel
      title={t('Latest payments')}
      link={
        <MuiLink component={Link} to="/transactions" sx={{ fontSize: 13 }}>
          {t('All transactions')}
        </MuiLink>
      }
    >
      <QueryContent
        query={query}
        isEmpty={({ items }) => items.length === 0}
        empty={<Box sx={{ py: 2, fontSize: 13, color: 'text.secondary' }}>{t('No payments yet.')}</Box>}
      >
        {({ items }) => (
          <Box component="ul" aria-label={t('Latest payments')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {items.map((payment) => (
              <PaymentLine key={payment.paymentId} payment={payment} />
            ))}
          </Box>
        )}
      </QueryContent>
    </Panel>
  );
}

function PaymentLine({ payment }: { payment: Payment }) {
  const { timezone, currency: usual } = useMerchant();
  const { paymentId, createdAt, transaction } = payment;
  const { amount = 0, currency = '' } = transaction ?? payment.tender ?? {};
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateAreas: { xs: '"name amount" "time status"', sm: '"time name status amount"' },
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '128px minmax(0, 1fr) auto 96px' },
        alignItems: 'center',
        columnGap: 3,
        py: { xs: 1, sm: 0 },
        minHeight: 36,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
        '&:first-of-type': { borderTop: 0 },
      })}
    >
      <Box sx={{ gridArea: 'time', color: 'text.secondary' }}>
        <TimeText at={createdAt} timeZone={timezone} />
      </Box>
      <Box sx={{ gridArea: 'name', minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: { sm: 'nowrap' } }}>
        <MuiLink component={Link} to={`/transactions/${paymentId}`}>
          {[payerOf(payment), methodOf(payment)].filter(Boolean).join(', ')}
        </MuiLink>
      </Box>
      {/* The normal state has no chip, so that the others stand out. */}
      {transaction && transaction.status !== 'approved' && (
        <Box sx={{ gridArea: 'status', textAlign: 'end' }}>
          <StatusChip state={transaction.status} />
        </Box>
      )}
      <Box sx={{ gridArea: 'amount', textAlign: 'end', fontWeight: 550 }}>
        <MoneyText amount={amount} currency={currency} code={currency !== usual} />
      </Box>
    </Box>
  );
}
