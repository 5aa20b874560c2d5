import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Payment, Shift } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { MoneyText, QueryContent, type QueryState, StatusChip, TimeText } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { currentShiftQuery, methodOf, payerOf } from '#renderer/shared/tenders';
import { DrawerPanel } from './drawer-panel.tsx';
import { lastPaymentsQuery, shiftReportQuery } from './queries.ts';
import { Report } from './shift-view.tsx';

/** The shift of this workstation's drawer: its figures, and its last payments to print or refund; without a shift, those of the person today. */
export function MyShiftTab() {
  const { merchantId } = useMerchant();
  const drawer = useWorkstation((settings) => settings.drawer);
  const canRead = useMay()('transactions:read');
  const { data: shift } = useQuery(currentShiftQuery(merchantId, drawer));
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <DrawerPanel />
      {shift && <ShiftFigures key={shift.shiftId} shift={shift} />}
      {shift === null && canRead && <OwnPayments />}
    </Box>
  );
}

function OwnPayments() {
  const { merchantId } = useMerchant();
  const { email: createdBy } = useMe().user;
  const today = useToday();
  const payments = useQuery(lastPaymentsQuery({ merchantId, createdBy, startDate: today, endDate: today }));
  return (
    <LastPayments title={t('Your last payments today')} query={payments}>
      {t('Open a shift to count the cash of this drawer, and to see its figures here.')}
    </LastPayments>
  );
}

function ShiftFigures({ shift: { shiftId } }: { readonly shift: Shift }) {
  const { merchantId } = useMerchant();
  const report = useQuery(shiftReportQuery(shiftId));
  const canRead = useMay()('transactions:read');
  const payments = useQuery({ ...lastPaymentsQuery({ merchantId, shiftId }), enabled: canRead });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 4,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr)' },
      }}
    >
      {canRead && <LastPayments title={t('Last payments of this shift')} query={payments} />}
      <Box sx={CARD}>
        <QueryContent query={report}>{(data) => <Report report={data} />}</QueryContent>
      </Box>
    </Box>
  );
}

interface LastPaymentsProps {
  readonly title: string;
  readonly query: QueryState<readonly Payment[]>;
  /** Text below the title. */
  readonly children?: string;
}

function LastPayments({ title, query, children }: LastPaymentsProps) {
  return (
    <Box component="section" sx={CARD}>
      <Typography variant="h3" component="h2" sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children && <Box sx={{ mb: 2, fontSize: 13, color: 'text.secondary' }}>{children}</Box>}
      <QueryContent
        query={query}
        isEmpty={(payments) => payments.length === 0}
        empty={<Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No payments yet.')}</Box>}
      >
        {(payments) => (
          <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {payments.map((payment) => (
              <PaymentLine key={payment.paymentId} payment={payment} />
            ))}
          </Box>
        )}
      </QueryContent>
    </Box>
  );
}

const CARD = { px: 4, py: 3, border: 1, borderColor: 'divider', borderRadius: 1, backgroundColor: 'background.paper' } as const;

function PaymentLine({ payment }: { readonly payment: Payment }) {
  const { timezone, currency: usual } = useMerchant();
  const may = useMay();
  const print = usePrintReceipt();
  const { paymentId, createdAt, transaction, tender } = payment;
  const { amount = 0, currency = '' } = transaction ?? tender ?? {};
  const name = [payerOf(payment), methodOf(payment)].filter(Boolean).join(', ');
  const onPrint = () => {
    if (tender) void print({ tender, copy: 'customer' });
    else if (transaction) void print({ transaction, copy: 'customer' });
  };
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        minHeight: 44,
        py: 1,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
        '&:first-of-type': { borderTop: 0 },
      })}
    >
      <Box sx={{ width: 112, color: 'text.secondary' }}>
        <TimeText at={createdAt} timeZone={timezone} />
      </Box>
      <MuiLink component={Link} to={`/transactions/${paymentId}`} sx={{ flex: 1, minWidth: 120 }}>
        {name}
      </MuiLink>
      {transaction && transaction.status !== 'approved' && <StatusChip state={transaction.status} />}
      <MoneyText amount={amount} currency={currency} code={currency !== usual} sx={{ fontWeight: 550, minWidth: 72, textAlign: 'end' }} />
      <Button size="small" variant="text" onClick={onPrint} aria-label={t('Print receipt: {{payment}}', { payment: name })}>
        {t('Print')}
      </Button>
      {may('refunds:write') && (
        <Button
          size="small"
          variant="text"
          component={Link}
          to={`/transactions/${paymentId}`}
          state={{ action: 'refund' }}
          aria-label={t('Refund: {{payment}}', { payment: name })}
        >
          {t('Refund', { context: 'verb' })}
        </Button>
      )}
    </Box>
  );
}
