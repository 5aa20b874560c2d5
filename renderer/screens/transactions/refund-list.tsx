import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { Refund, Transaction } from '#renderer/client';
import { ReceiptDialog } from '#renderer/receipt';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, MoneyText, StatusChip, TimeText } from '#renderer/ui';
import { refundsQuery } from './queries.ts';

/** The refunds of a transaction, when there are any. */
export function RefundList({ transaction }: { transaction: Transaction }) {
  const may = useMay();
  const [printed, setPrinted] = useState<Refund>();
  const refunds = useQuery({ ...refundsQuery(transaction.transactionId), enabled: may('refunds:read') && transaction.captured });
  if (!refunds.error && !refunds.data?.items.length) return null;
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        Refunds
      </Typography>
      <Answer of={refunds}>
        {({ items }) => (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {items.map((refund) => (
              <Row key={refund.refundId} refund={refund} onPrint={() => setPrinted(refund)} />
            ))}
          </Box>
        )}
      </Answer>
      {printed && <ReceiptDialog transaction={transaction} refund={printed} onClose={() => setPrinted(undefined)} />}
    </Box>
  );
}

function Row({ refund, onPrint }: { refund: Refund; onPrint: () => void }) {
  const { timezone } = useMerchant();
  const { amount, currency, status, reason, declineReason, createdAt } = refund;
  const words = status === 'declined' ? declineReason : reason;
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'auto 1fr auto 28px',
        gap: 3,
        alignItems: 'center',
        py: 2,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <StatusChip state={status} />
      <Box sx={{ minWidth: 0, color: 'text.secondary' }}>
        <TimeText at={createdAt} timeZone={timezone} />
        {words && ` · ${words}`}
      </Box>
      <MoneyText amount={-amount} currency={currency} sx={{ fontWeight: 600 }} />
      {status === 'approved' ? (
        <Tooltip title="Receipt of this refund">
          <IconButton size="small" aria-label="Receipt of this refund" onClick={onPrint}>
            <Printer size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      ) : (
        <span />
      )}
    </Box>
  );
}
