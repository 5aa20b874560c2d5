import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import MuiLink from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Printer, Undo2 } from 'lucide-react';
import { memo, useState } from 'react';
import { Link } from 'react-router';
import type { Tender, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { KeyHint, MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { ReceiptDialog, usePrintReceipt } from '#renderer/shared/receipt';
import { tenderText } from '#renderer/shared/tenders';
import { shortMethodLabel } from './charge/payment-method.ts';
import { RECENT_SALES, recentSalesQuery, recentTendersQuery } from './charge/queries.ts';

/**
 * The last five sales of today, with and without a card, each with its receipt; closed until this workstation opens them, unless `opensFirst`. A key in
 * the form does not render them again.
 */
export const RecentSales = memo(function RecentSales({ opensFirst }: { opensFirst: boolean }) {
  const { merchantId } = useMerchant();
  const query = useQuery(recentSalesQuery(merchantId, useToday()));
  const [shown, setShown] = useState<Transaction | null>(null);
  const print = usePrintReceipt();
  const tenders = useRecentTenders();
  const isOpen = useWorkstation(({ showsRecentSales }) => showsRecentSales) ?? opensFirst;
  const change = useWorkstation((settings) => settings.change);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Box component="section" aria-labelledby="recent-sales">
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', mb: 1 }}>
        <Box component="h2" id="recent-sales" sx={{ m: 0 }}>
          <Button
            variant="text"
            size="small"
            aria-expanded={isOpen}
            onClick={() => change({ showsRecentSales: !isOpen })}
            startIcon={<Chevron size={16} aria-hidden />}
            sx={{ mx: -2, color: 'text.primary', fontWeight: 600 }}
          >
            {t('Recent sales today')}
          </Button>
        </Box>
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {t('Reprint last receipt')} <KeyHint keys="F8" />
        </Box>
      </Box>
      {isOpen && (
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
      )}
      {shown && <ReceiptDialog transaction={shown} onClose={() => setShown(null)} />}
    </Box>
  );
});

/** Statuses of transactions that have a receipt. */
const STATUSES_WITH_RECEIPT: ReadonlySet<string> = new Set(['approved', 'voided', 'declined']);

function RecentSale({ sale, onShow }: { sale: Transaction; onShow: () => void }) {
  const { status, transactionId } = sale;
  const mayRefund = useMay()('refunds:write');
  return (
    <RecentLine
      sale={sale}
      path={`/transactions/${transactionId}`}
      canRefund={mayRefund && status === 'approved' && sale.type !== 'credit'}
      method={shortMethodLabel(sale)}
      state={status === 'approved' ? undefined : status}
      onReceipt={STATUSES_WITH_RECEIPT.has(status) ? onShow : undefined}
    />
  );
}

function RecentTender({ tender, onPrint }: { tender: Tender; onPrint: () => void }) {
  const state = tender.status === 'received' ? undefined : tender.status;
  const path = `/transactions/${tender.tenderId}`;
  return <RecentLine sale={tender} path={path} method={tenderText(tender)} state={state} onReceipt={onPrint} />;
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
  /** Path of its details. */
  readonly path: string;
  readonly method: string;
  /** Status that differs from that of a usual sale. */
  readonly state: string | undefined;
  readonly onReceipt: (() => void) | undefined;
  readonly canRefund?: boolean;
}

const LAST_FOUR = '••0000';

function RecentLine({ sale, path, method, state, onReceipt, canRefund = false }: RecentLineProps) {
  const { timezone } = useMerchant();
  const values = { method, amount: sale.amount.toFixed(2) };
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        minHeight: 40,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <MuiLink component={Link} to={path} color="inherit" sx={{ minWidth: 0, display: 'flex', whiteSpace: 'pre' }}>
        {/* The brand may be cut off, the last four digits never. */}
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {method.slice(0, -LAST_FOUR.length)}
        </Box>
        {method.slice(-LAST_FOUR.length)}
      </MuiLink>
      <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        <TimeText at={sale.createdAt} timeZone={timezone} />
      </Box>
      {state && <StatusChip state={state} />}
      <MoneyText amount={sale.amount} currency={sale.currency} sx={{ fontWeight: 600, marginInlineStart: 'auto' }} />
      <Box sx={{ display: 'flex', minWidth: 60, justifyContent: 'flex-end' }}>
        {canRefund && (
          <Tooltip title={t('Refund', { context: 'verb' })}>
            <IconButton
              size="small"
              component={Link}
              to={path}
              state={{ action: 'refund' }}
              aria-label={t('Refund {{method}}, {{amount}}', values)}
            >
              <Undo2 size={16} aria-hidden />
            </IconButton>
          </Tooltip>
        )}
        {onReceipt && (
          <Tooltip title={t('Receipt')}>
            <IconButton size="small" aria-label={t('Receipt for {{method}}, {{amount}}', values)} onClick={onReceipt}>
              <Printer size={16} aria-hidden />
            </IconButton>
          </Tooltip>
        )}
      </Box>
    </Box>
  );
}
