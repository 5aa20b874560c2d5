import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { InstallmentPlan, InstallmentPlanDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { FailureNote, Section, StatusChip } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { PlanActions } from './plan-actions.tsx';
import { planOfInvoiceQuery } from './queries.ts';
import { ScheduleTable } from './schedule-table.tsx';
import { nextStepText } from './texts.ts';

type Installment = InstallmentPlan['installments'][number];

const TONES = { active: 'info', past_due: 'warning', paused: 'info', completed: 'success', canceled: 'info' } as const;

/** The installment plan of an invoice. Shows nothing if the invoice has none. */
export function InstallmentSection({ invoiceId, onPanelClosed }: { invoiceId: string; onPanelClosed: () => void }) {
  const query = useQuery(planOfInvoiceQuery(invoiceId));
  if (query.isLoadingError) return <FailureNote failure={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  return (
    <Section title={t('Installments')}>
      <PlanContent plan={query.data} isPart onPanelClosed={onPanelClosed} />
    </Section>
  );
}

interface PlanContentProps {
  readonly plan: InstallmentPlanDetail;
  readonly isPart?: boolean;
  readonly onPanelClosed: () => void;
}

/** Next step, actions and schedule of a plan. */
export function PlanContent({ plan, isPart = false, onPanelClosed }: PlanContentProps) {
  const { timezone } = useMerchant();
  const may = useMay();
  const { status, method, currency, paymentMethodId } = plan;
  const paid = t('{{paid}} of {{amount}} paid', {
    paid: writeMoney(plan.amountPaid, currency),
    amount: writeMoney(plan.amount, currency),
  });
  const card = method
    ? t('charged to {{method}}', { method: methodText(method) })
    : paymentMethodId === null
      ? t('payment method removed')
      : null;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, fontSize: 13, color: 'text.secondary' }}>
        {isPart && <StatusChip state={status} />}
        <span>{[paid, card].filter(Boolean).join(' · ')}</span>
      </Box>
      <Alert severity={TONES[status]}>{nextStepText(plan, timezone)}</Alert>
      {may('recurring:write') && <PlanActions plan={plan} isPart={isPart} onPanelClosed={onPanelClosed} />}
      <ScheduleTable
        label={t('Installments')}
        currency={currency}
        rows={plan.installments.map((each) => rowOf(each, plan, may('transactions:read')))}
      />
    </Box>
  );
}

function rowOf(each: Installment, { currency }: InstallmentPlan, canOpenTransaction: boolean) {
  const { number, dueDate, amount, amountPaid, amountRemaining, status, transactionId } = each;
  const isPartlyPaid = amountPaid > 0 && amountRemaining > 0;
  return {
    number,
    dueDate,
    amount,
    status: (
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <StatusChip state={status} of="installment" />
        {transactionId !== null && canOpenTransaction && (
          <Link
            component={RouterLink}
            to={`/transactions/${transactionId}`}
            aria-label={t('Transaction of installment {{number}}', { number })}
          >
            {t('Transaction')}
          </Link>
        )}
      </Box>
    ),
    ...(isPartlyPaid && { note: t('{{amount}} left', { amount: writeMoney(amountRemaining, currency) }) }),
  };
}
