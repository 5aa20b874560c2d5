import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InstallmentPlan, InstallmentPlanDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { RecordActions } from '#renderer/kit/record';
import { PanelForm, QueryContent, ReasonField, usePanel, useSubmit } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { UpdateLinkPanel } from '#renderer/shared/payer-links';
import { MethodFields } from './method-fields.tsx';
import { cancelPlan, changePlanMethod, methodsQuery, pausePlan, refreshPlans, resumePlan, retryPlan } from './queries.ts';
import { nextStepText } from './texts.ts';

type ActionId = 'retry' | 'resume' | 'pause' | 'method' | 'link' | 'cancel';

interface PlanAction {
  readonly id: ActionId;
  /** Operation of the service. */
  readonly operation: keyof InstallmentPlanDetail['actions'];
  readonly keys: string;
  readonly label: string;
}

const ACTIONS: readonly PlanAction[] = [
  { id: 'retry', operation: 'retry', keys: 'T', label: t('Retry now') },
  { id: 'resume', operation: 'resume', keys: 'U', label: t('Resume plan') },
  { id: 'pause', operation: 'pause', keys: 'P', label: t('Pause plan') },
  { id: 'method', operation: 'update', keys: 'M', label: t('Change card') },
  { id: 'link', operation: 'update', keys: 'O', label: t('Update link') },
  { id: 'cancel', operation: 'cancel', keys: 'W', label: t('Cancel plan') },
];

interface PlanActionsProps {
  readonly plan: InstallmentPlanDetail;
  /** True on the record of the invoice, of which the plan is a part. */
  readonly isPart?: boolean;
  readonly onPanelClosed: () => void;
}

/** Actions on a plan. Each opens a panel that explains the effect before it happens. */
export function PlanActions({ plan, isPart = false, onPanelClosed }: PlanActionsProps) {
  const canSeeCustomer = useMay()('customers:read');
  const canChangeCustomer = useMay()('customers:write');
  const { panel, open, closeHandler } = usePanel<ActionId>(onPanelClosed);
  const available = ACTIONS.filter(
    ({ id, operation }) =>
      plan.actions[operation].allowed &&
      (id !== 'method' || canSeeCustomer) &&
      (id !== 'link' || (canSeeCustomer && canChangeCustomer && plan.paymentMethodId !== null)),
  );
  const current = available.find(({ id }) => id === panel)?.id;
  return (
    <>
      <RecordActions
        group={t('Installments')}
        isPart={isPart}
        actions={available.map(({ id, keys, label }) => ({
          label,
          keys,
          isDangerous: id === 'cancel',
          isOpen: id === current,
          run: () => open(id),
        }))}
      />
      {current && <Panel id={current} plan={plan} onClose={closeHandler(current)} />}
    </>
  );
}

interface PanelProps {
  readonly plan: InstallmentPlan;
  readonly onClose: () => void;
}

function Panel({ id, plan, onClose }: PanelProps & { readonly id: ActionId }) {
  const props = { plan, onClose };
  switch (id) {
    case 'retry':
      return <RetryPanel {...props} />;
    case 'method':
      return <MethodPanel {...props} />;
    case 'cancel':
      return <CancelPanel {...props} />;
    case 'link':
      return (
        <UpdateLinkPanel
          subject={{ customerId: plan.customerId, paymentMethodId: plan.paymentMethodId ?? '' }}
          methodName={plan.method && methodText(plan.method)}
          onClose={onClose}
        />
      );
    default:
      return <PausePanel {...props} isPause={id === 'pause'} />;
  }
}

/** Changes a plan and announces the result once the screen is up to date. */
function useChange(send: (key: string) => Promise<InstallmentPlan>, onClose: () => void) {
  const { timezone } = useMerchant();
  return useSubmit({
    send: (_, key) => send(key),
    refreshFirst: refreshPlans,
    announcement: (after) => nextStepText(after, timezone),
    onClose,
  });
}

const nextOf = ({ installments, nextNumber }: InstallmentPlan) => installments.find(({ number }) => number === nextNumber);

function RetryPanel({ plan, onClose }: PanelProps) {
  const retry = useChange((key) => retryPlan(plan.installmentPlanId, key), onClose);
  const amount = writeMoney(nextOf(plan)?.amountRemaining ?? 0, plan.currency);
  const effect =
    plan.method === null
      ? t('Charges {{amount}} now. The payment method was removed, so it will fail.', { amount })
      : t('Charges {{amount}} now to {{method}}.', { amount, method: methodText(plan.method) });
  return (
    <PanelForm
      {...retry}
      title={t('Retry now')}
      explanation={`${effect} ${t('If it is declined, the scheduled attempts stay as they are.')}`}
      submitLabel={t('Charge {{amount}} now', { amount })}
      focusesSubmit
    />
  );
}

function PausePanel({ plan, onClose, isPause }: PanelProps & { readonly isPause: boolean }) {
  const change = useChange(() => (isPause ? pausePlan : resumePlan)(plan.installmentPlanId), onClose);
  return (
    <PanelForm
      {...change}
      title={isPause ? t('Pause plan') : t('Resume plan')}
      explanation={
        isPause
          ? t('Nothing is charged until you resume the plan. The dates stay unchanged.')
          : t('The dates stay unchanged. Installments whose date has passed are charged one after the other, the first one immediately.')
      }
      submitLabel={isPause ? t('Pause plan') : t('Resume plan')}
      focusesSubmit
    />
  );
}

function CancelPanel({ plan, onClose }: PanelProps) {
  const [reason, setReason] = useState('');
  const change = useChange(() => cancelPlan(plan.installmentPlanId, reason.trim()), onClose);
  return (
    <PanelForm
      {...change}
      title={t('Cancel plan')}
      explanation={t('No further installment is charged. {{amount}} of the invoice stay due. A canceled plan can’t be resumed.', {
        amount: writeMoney(plan.amountRemaining, plan.currency),
      })}
      submitLabel={t('Cancel plan')}
      isDangerous
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}

const CHANGE = t('The installments are charged to this payment method from now on. A failed installment is retried immediately.');
const CHANGE_WHILE_PENDING = t(
  'A charge of the present payment method is at the gateway. If it fails, the new one is charged immediately; otherwise from the next installment on.',
);

function MethodPanel({ plan, onClose }: PanelProps) {
  const methods = useQuery(methodsQuery(plan.customerId));
  const [chosen, setChosen] = useState<string>();
  const [consent, setConsent] = useState(plan.consentText);
  const [isChecked, setChecked] = useState(false);
  const methodId = chosen ?? plan.paymentMethodId ?? '';
  const needsConsent = methods.data?.find(({ paymentMethodId }) => paymentMethodId === methodId)?.consentText === null;
  const problem = needsConsent && consent.trim() === '' ? t('Enter the text that the customer agreed to.') : undefined;
  const change = useChange(
    () => changePlanMethod(plan.installmentPlanId, { paymentMethodId: methodId, ...(needsConsent && { consentText: consent.trim() }) }),
    onClose,
  );
  return (
    <QueryContent query={methods}>
      {(data) => (
        <PanelForm
          {...change}
          title={t('Change card')}
          explanation={plan.paymentInProgress ? CHANGE_WHILE_PENDING : CHANGE}
          submitLabel={t('Change card')}
          onSubmit={() => {
            setChecked(true);
            if (problem === undefined && methodId !== '') change.onSubmit();
          }}
        >
          <MethodFields
            id="plan"
            methods={data}
            methodId={methodId}
            onMethod={setChosen}
            consent={consent}
            onConsent={setConsent}
            consentProblem={isChecked ? problem : undefined}
            autoFocus
          />
        </PanelForm>
      )}
    </QueryContent>
  );
}
