import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Transaction } from '#renderer/client';
import { paidWith } from '#renderer/receipt';
import { useMerchant } from '#renderer/session';
import { MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/ui';
import { Panel } from './panel.tsx';
import { lastSalesQuery } from './queries.ts';

/** The latest payments, each with a link to its details. */
export function LastSales() {
  const { merchantId } = useMerchant();
  const query = useQuery(lastSalesQuery(merchantId));
  return (
    <Panel
      title="Latest payments"
      link={
        <MuiLink component={Link} to="/transactions" sx={{ fontSize: 13 }}>
          All transactions
        </MuiLink>
      }
    >
      <QueryContent
        query={query}
        isEmpty={({ items }) => items.length === 0}
        empty={<Box sx={{ py: 2, fontSize: 13, color: 'text.secondary' }}>No payments yet.</Box>}
      >
        {({ items }) => (
          <Box component="ul" aria-label="Latest payments" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {items.map((sale) => (
              <SaleLine key={sale.transactionId} sale={sale} />
            ))}
          </Box>
        )}
      </QueryContent>
    </Panel>
  );
}

function SaleLine({ sale }: { sale: Transaction }) {
  const { timezone } = useMerchant();
  const { transactionId, customer, createdAt, status, amount, currency } = sale;
  const method = paidWith(sale);
  const payer = customer?.name ?? customer?.email ?? null;
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: '128px minmax(0, 1fr) auto 96px',
        alignItems: 'center',
        columnGap: 3,
        minHeight: 36,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
        '&:first-of-type': { borderTop: 0 },
      })}
    >
      <Box sx={{ color: 'text.secondary' }}>
        <TimeText at={createdAt} timeZone={timezone} />
      </Box>
      <Box sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        <MuiLink component={Link} to={`/transactions/${transactionId}`}>
          {payer === null ? method : `${payer}, ${method}`}
        </MuiLink>
      </Box>
      <StatusChip state={status} />
      <Box sx={{ textAlign: 'right', fontWeight: 550 }}>
        <MoneyText amount={amount} currency={currency} code />
      </Box>
    </Box>
  );
}
