import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { FileText, type LucideIcon, Mail, MessageSquareText, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Refund, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText, QueryContent, Section, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { ReceiptDialog } from '#renderer/shared/receipt';
import { useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { PartLines } from './part-lines.tsx';
import { refundsQuery } from './queries.ts';
import { RETURNED_ITEMS, returnedText } from './returned-items.ts';
import { refundNote } from './status.ts';

/** Refunds of a transaction; empty if there are none. */
export function RefundList({ transaction }: { transaction: Transaction }) {
  const may = useMay();
  const [receiptRefund, setReceiptRefund] = useState<Refund>();
  const refunds = useQuery({ ...refundsQuery(transaction.transactionId), enabled: may('refunds:read') && transaction.captured });
  if (!refunds.error && !refunds.data?.items.length) return null;
  return (
    <Section title={t('Refunds')}>
      <QueryContent query={refunds}>
        {({ items }) => (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {items.map((refund) => (
              <RefundRow key={refund.refundId} transaction={transaction} refund={refund} onPrint={() => setReceiptRefund(refund)} />
            ))}
          </Box>
        )}
      </QueryContent>
      {receiptRefund && <ReceiptDialog transaction={transaction} refund={receiptRefund} onClose={() => setReceiptRefund(undefined)} />}
    </Section>
  );
}

const SENT_RECEIPTS = {
  email: { icon: Mail, label: t('Email the receipt for this refund') },
  text: { icon: MessageSquareText, label: t('Text the receipt for this refund') },
  pdf: { icon: FileText, label: t('Save the receipt as PDF for this refund') },
} as const;

interface RefundRowProps {
  readonly transaction: Transaction;
  readonly refund: Refund;
  readonly onPrint: () => void;
}

function RefundRow({ transaction, refund, onPrint }: RefundRowProps) {
  const { timezone } = useMerchant();
  const delivery = useReceiptDelivery(transaction, refund.refundId);
  const { amount, currency, status, createdAt } = refund;
  const note = refundNote(refund);
  const items = returnedText(refund, transaction.lineItems);
  const metadata = Object.entries(refund.metadata ?? {}).filter(([key]) => items === null || key !== RETURNED_ITEMS);
  const receipts: readonly (readonly [LucideIcon, string, () => void])[] = [
    [Printer, t('Receipt for this refund'), onPrint],
    ...delivery.actions
      .filter(({ blockedReason }) => blockedReason === undefined)
      .map(({ id, run }) => [SENT_RECEIPTS[id].icon, SENT_RECEIPTS[id].label, run] as const),
  ];
  return (
    <Box component="li" sx={(theme) => ({ py: 2, display: 'grid', gap: 2, borderTop: `1px solid ${theme.vars.palette.divider}` })}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr auto auto', gap: 3, alignItems: 'center', fontSize: 13 }}>
        <StatusChip state={status} />
        <Box sx={{ minWidth: 0, color: 'text.secondary' }}>
          <TimeText at={createdAt} timeZone={timezone} />
          {note && ` · ${note}`}
        </Box>
        <MoneyText amount={-amount} currency={currency} sx={{ fontWeight: 600 }} />
        <Box sx={{ minWidth: 28 }}>
          {status === 'approved' &&
            receipts.map(([Icon, label, run]) => (
              <Tooltip key={label} title={label}>
                <IconButton size="small" aria-label={label} onClick={run}>
                  <Icon size={16} aria-hidden />
                </IconButton>
              </Tooltip>
            ))}
        </Box>
      </Box>
      <PartLines of={refund} isRefund />
      {items && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{items}</Box>}
      {metadata.length > 0 && (
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {metadata.map(([key, value]) => `${key}: ${value}`).join(' · ')}
        </Box>
      )}
      {delivery.note}
      {delivery.dialog}
    </Box>
  );
}
