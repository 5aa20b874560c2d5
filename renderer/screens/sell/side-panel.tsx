import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { UseQueryResult } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { PageOf, Transaction } from '#renderer/client';
import { readAmount } from '#renderer/money';
import { ReceiptDialog } from '#renderer/receipt';
import { useMerchant } from '#renderer/session';
import { KeyHint, MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/ui';
import { shortMethodLabel } from './customer/payment-method.ts';

interface RunningTotalProps {
  readonly amount: string;
  readonly currency: string;
  /** Transaction type and payment method, such as "Sale · Visa". */
  readonly description: string;
  /** Additions to the amount, as text. */
  readonly additions?: string;
}

/** Amount to charge, large enough to read aloud. */
export function RunningTotal({ amount, currency, description, additions }: RunningTotalProps) {
  const reading = readAmount(amount, currency);
  return (
    <Box>
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>Total</Box>
      <Box sx={{ fontSize: 40, lineHeight: '48px', fontWeight: 600, letterSpacing: '-0.02em' }} data-total>
        <MoneyText amount={reading.kind === 'valid' ? Number(reading.decimal) : 0} currency={currency} code />
      </Box>
      <Box sx={{ color: 'text.secondary', minHeight: 20 }}>{description}</Box>
      {additions && <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{additions}</Box>}
    </Box>
  );
}

/** The last five sales of today, each with its receipt. */
export function RecentSales({ query }: { query: UseQueryResult<PageOf<Transaction>> }) {
  const [shown, setShown] = useState<Transaction | null>(null);
  return (
    <Box component="section" aria-labelledby="recent-sales">
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', mb: 1 }}>
        <Box component="h2" id="recent-sales" sx={{ m: 0, fontSize: 13, lineHeight: '20px', fontWeight: 600 }}>
          Recent sales today
        </Box>
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
          Reprint last receipt <KeyHint keys="F8" />
        </Box>
      </Box>
      <QueryContent
        query={query}
        isEmpty={({ items }) => items.length === 0}
        empty={<Box sx={{ color: 'text.secondary', py: 3 }}>No sales yet today.</Box>}
      >
        {({ items }) => (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {items.map((sale) => (
              <RecentSale key={sale.transactionId} sale={sale} onShow={() => setShown(sale)} />
            ))}
          </Box>
        )}
      </QueryContent>
      {shown && <ReceiptDialog transaction={shown} onClose={() => setShown(null)} />}
    </Box>
  );
}

/** Statuses of transactions that have a receipt. */
const STATUSES_WITH_RECEIPT: ReadonlySet<string> = new Set(['approved', 'voided', 'declined']);

function RecentSale({ sale, onShow }: { sale: Transaction; onShow: () => void }) {
  const { timezone } = useMerchant();
  const label = `Receipt for ${shortMethodLabel(sale)}, ${sale.amount.toFixed(2)}`;
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto 32px',
        alignItems: 'center',
        columnGap: 2,
        minHeight: 48,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontSize: 13 }}>{shortMethodLabel(sale)}</Box>
        <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>
          <TimeText at={sale.createdAt} timeZone={timezone} />
        </Box>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        {sale.status !== 'approved' && <StatusChip state={sale.status} />}
        <MoneyText amount={sale.amount} currency={sale.currency} sx={{ fontWeight: 550 }} />
      </Box>
      {STATUSES_WITH_RECEIPT.has(sale.status) && (
        <Tooltip title="Receipt">
          <IconButton size="small" aria-label={label} onClick={onShow}>
            <Printer size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}
