import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { memo, useState } from 'react';
import type { Tender, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { readAmount } from '#renderer/base/money';
import { KeyHint, MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { ReceiptDialog, usePrintReceipt } from '#renderer/shared/receipt';
import { tenderText } from '#renderer/shared/tenders';
import { shortMethodLabel } from './customer/payment-method.ts';
import { RECENT_SALES, recentSalesQuery, recentTendersQuery } from './queries.ts';

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
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>{t('Total')}</Box>
      <Box sx={{ fontSize: 40, lineHeight: '48px', fontWeight: 600, letterSpacing: '-0.02em' }} data-total>
        <MoneyText amount={reading.kind === 'valid' ? Number(reading.decimal) : 0} currency={currency} code />
      </Box>
      <Box sx={{ color: 'text.secondary', minHeight: 20 }}>{description}</Box>
      {additions && <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{additions}</Box>}
    </Box>
  );
}

/** The last five sales of today, with and without a card, each with its receipt. A key in the form does not render them again. */
export const RecentSales = memo(function RecentSales() {
  const { merchantId } = useMerchant();
  const query = useQuery(recentSalesQuery(merchantId, useToday()));
  const [shown, setShown] = useState<Transaction | null>(null);
  const print = usePrintReceipt();
  const tenders = useRecentTenders();
  return (
    <Box component="section" aria-labelledby="recent-sales">
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', mb: 1 }}>
        <Box component="h2" id="recent-sales" sx={{ m: 0, fontSize: 13, lineHeight: '20px', fontWeight: 600 }}>
          {t('Recent sales today')}
        </Box>
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {t('Reprint last receipt')} <KeyHint keys="F8" />
        </Box>
      </Box>
      <QueryContent
        query={query}
        isEmpty={({ items }) => items.length + tenders.length === 0}
        empty={<Box sx={{ color: 'text.secondary', py: 3 }}>{t('No sales yet today.')}</Box>}
      >
        {({ items }) => (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {newestOf(items, tenders).map((sale) =>
              'tenderId' in sale ? (
                <RecentTender key={sale.tenderId} tender={sale} onPrint={() => void print({ tender: sale, copy: 'customer' })} />
              ) : (
                <RecentSale key={sale.transactionId} sale={sale} onShow={() => setShown(sale)} />
              ),
            )}
          </Box>
        )}
      </QueryContent>
      {shown && <ReceiptDialog transaction={shown} onClose={() => setShown(null)} />}
    </Box>
  );
});

/** Statuses of transactions that have a receipt. */
const STATUSES_WITH_RECEIPT: ReadonlySet<string> = new Set(['approved', 'voided', 'declined']);

function RecentSale({ sale, onShow }: { sale: Transaction; onShow: () => void }) {
  const { status } = sale;
  return (
    <RecentLine
      sale={sale}
      method={shortMethodLabel(sale)}
      state={status === 'approved' ? undefined : status}
      onReceipt={STATUSES_WITH_RECEIPT.has(status) ? onShow : undefined}
    />
  );
}

function RecentTender({ tender, onPrint }: { tender: Tender; onPrint: () => void }) {
  const state = tender.status === 'received' ? undefined : tender.status;
  return <RecentLine sale={tender} method={tenderText(tender)} state={state} onReceipt={onPrint} />;
}

/** Returns the newest sales of both kinds. */
function newestOf(sales: readonly Transaction[], tenders: readonly Tender[]): readonly (Transaction | Tender)[] {
  return [...sales, ...tenders].toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1)).slice(0, RECENT_SALES);
}

function useRecentTenders(): readonly Tender[] {
  const { merchantId } = useMerchant();
  const { data = [] } = useQuery({ ...recentTendersQuery(merchantId, useToday()), enabled: useMay()('tenders:read') });
  return data;
}

interface RecentLineProps {
  readonly sale: Pick<Transaction, 'amount' | 'currency' | 'createdAt'>;
  readonly method: string;
  /** Status that differs from that of a usual sale. */
  readonly state: string | undefined;
  readonly onReceipt: (() => void) | undefined;
}

function RecentLine({ sale, method, state, onReceipt }: RecentLineProps) {
  const { timezone } = useMerchant();
  const label = t('Receipt for {{method}}, {{amount}}', { method, amount: sale.amount.toFixed(2) });
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'minmax(88px, 1fr) auto 32px',
        alignItems: 'center',
        columnGap: 2,
        minHeight: 48,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontSize: 13 }}>{method}</Box>
        <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>
          <TimeText at={sale.createdAt} timeZone={timezone} />
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', columnGap: 2 }}>
        {state && <StatusChip state={state} />}
        <MoneyText amount={sale.amount} currency={sale.currency} sx={{ fontWeight: 550 }} />
      </Box>
      {onReceipt && (
        <Tooltip title={t('Receipt')}>
          <IconButton size="small" aria-label={label} onClick={onReceipt}>
            <Printer size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}
