import { Type } from 'typebox';
import { COUNT_MAX, COUNT_MIN, INTERVALS, type InstallmentPlan, type ScheduledInstallment } from '#core/billing/installments';
import { toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { AgreementChannelIn, PaymentChannelOut } from './channel.ts';
import { AmountIn, Maybe, Text, Timestamp } from './fields.ts';
import { NewInvoiceFields } from './invoice.ts';
import { named } from './named.ts';

export const PLAN_STATUSES = ['active', 'past_due', 'paused', 'completed', 'canceled'] as const;
const INSTALLMENT_STATUSES = ['scheduled', 'processing', 'retrying', 'past_due', 'paid', 'canceled'] as const;
const ATTEMPT_STATUSES = ['pending', 'succeeded', 'failed', 'unsent', 'voided'] as const;

const DayIn = (description: string) =>
  Type.String({
    maxLength: 20,
    description: `${description}, YYYY-MM-DD in the time zone of the merchant`,
    'x-error-code': 'INVALID_DATE',
  });

const InstallmentIn = named(
  'InstallmentInput',
  Type.Object({ dueDate: DayIn('date of the charge, later than the one before'), amount: AmountIn }),
);

/** Fields that define the schedule: a number with an interval, or a list of dates and amounts. */
const ScheduleFields = {
  count: Type.Optional(
    Type.Integer({
      minimum: COUNT_MIN,
      maximum: COUNT_MAX,
      description: 'number of equal installments; the first one takes the remainder',
    }),
  ),
  interval: Type.Optional(literals(INTERVALS)),
  firstDate: Type.Optional(DayIn('date of the first installment; default today, which is charged immediately')),
  installments: Type.Optional(
    Type.Array(InstallmentIn, {
      minItems: COUNT_MIN,
      maxItems: COUNT_MAX,
      description: 'dates and amounts that add up to the amount due, in place of `count`, `interval` and `firstDate`',
    }),
  ),
};

const ConsentIn = Type.Optional(Text(2_000, 'text that the customer agreed to; required unless the payment method was stored with one'));

export const NewInstallmentPlanBody = Type.Object({
  invoiceId: Type.Optional(Text(60, 'invoice to be paid in installments')),
  invoice: Type.Optional({ ...Type.Object(NewInvoiceFields), description: 'for a sale: an invoice that is created with the plan' }),
  ...ScheduleFields,
  paymentMethodId: Type.Optional(Text(60, "a stored payment method of the customer; by default the customer's default one")),
  consentText: ConsentIn,
  agreementChannel: AgreementChannelIn,
});

export const InstallmentPreviewBody = Type.Object({ invoiceId: Text(60), ...ScheduleFields });
export const PlanMethodBody = Type.Object({ paymentMethodId: Text(60), consentText: ConsentIn, agreementChannel: AgreementChannelIn });

/** Major units. */
const Amount = Type.Number({ description: 'major units' });

const InstallmentOut = named(
  'Installment',
  Type.Object({
    number: Type.Integer(),
    dueDate: Type.String(),
    amount: Amount,
    amountPaid: Amount,
    amountRemaining: Type.Number({ description: 'amount that its charge takes: less than `amount` after an early payment' }),
    status: literals(INSTALLMENT_STATUSES),
    paidAt: Maybe(Timestamp),
    transactionId: Maybe(Type.String({ description: 'payment that paid it; null for a payment without a processor' })),
  }),
);

const AttemptOut = named(
  'InstallmentAttempt',
  Type.Object({
    number: Type.Integer(),
    attempt: Type.Integer(),
    amount: Amount,
    status: literals(ATTEMPT_STATUSES),
    transactionId: Maybe(Type.String()),
    declineCode: Maybe(Type.String()),
    declineReason: Maybe(Type.String()),
    createdAt: Timestamp,
  }),
);

const MethodOut = named(
  'InstallmentPaymentMethod',
  Type.Object({
    paymentMethodId: Type.String(),
    type: Type.Union([Type.Literal('card'), Type.Literal('ach')]),
    brand: Maybe(Type.String()),
    last4: Type.String(),
    expiryMonth: Maybe(Type.String()),
    expiryYear: Maybe(Type.String()),
  }),
);

/** A plan that pays an invoice in installments. */
export const InstallmentPlanOut = named(
  'InstallmentPlan',
  Type.Object({
    installmentPlanId: Type.String({ examples: ['ipl_00000000000000000000000000'] }),
    merchantId: Type.String(),
    customerId: Type.String(),
    customer: Type.Object({ name: Maybe(Type.String()), email: Maybe(Type.String()) }),
    invoiceId: Type.String(),
    status: literals(PLAN_STATUSES, '`past_due`: an installment failed and is not retried automatically any more'),
    currency: Type.String(),
    amount: Type.Number({ description: 'sum of the installments, in major units' }),
    amountPaid: Amount,
    amountRemaining: Amount,
    interval: Maybe(literals(INTERVALS)),
    installments: Type.Array(InstallmentOut),
    nextNumber: Maybe(Type.Integer({ description: 'number of the next installment; null if none follows' })),
    nextDueDate: Maybe(Type.String({ description: 'date of the next installment' })),
    nextRetryAt: Maybe(Timestamp),
    failedAttempts: Type.Integer({ description: 'failed attempts of the next installment' }),
    lastDeclineCode: Maybe(Type.String()),
    lastReason: Maybe(Type.String()),
    paymentMethodId: Maybe(Type.String({ description: 'null after the payment method was removed' })),
    method: Maybe(MethodOut),
    consentText: Type.String(),
    consentAt: Timestamp,
    agreementChannel: Maybe({ ...PaymentChannelOut, description: 'how the customer agreed; null if it was not recorded' }),
    paymentInProgress: Type.Boolean(),
    pauseReason: Maybe(literals(['person', 'payment_voided'])),
    pastDueAt: Maybe(Timestamp),
    completedAt: Maybe(Timestamp),
    canceledAt: Maybe(Timestamp),
    canceledBy: Maybe(Type.String()),
    cancelReason: Maybe(Type.String({ description: 'text of the caller, `invoice_canceled` or `customer_deleted`' })),
    createdBy: Type.String(),
    attempts: Type.Array(AttemptOut, { description: 'attempts to charge installments, oldest first' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

export const InstallmentPreviewOut = named(
  'InstallmentPreview',
  Type.Object({ installments: Type.Array(Type.Object({ number: Type.Integer(), dueDate: Type.String(), amount: Amount })) }),
);

export function installmentPlanRecord(plan: InstallmentPlan) {
  const { method } = plan;
  return {
    ...plan,
    amount: toNumber(plan.amount),
    amountPaid: toNumber(plan.amountPaid),
    amountRemaining: toNumber(plan.amountRemaining),
    installments: plan.installments.map((each) => ({
      ...each,
      amount: toNumber(each.amount),
      amountPaid: toNumber(each.amountPaid),
      amountRemaining: toNumber(each.amountRemaining),
    })),
    method: method && {
      paymentMethodId: method.paymentMethodId,
      type: method.type,
      brand: method.brand,
      last4: method.last4,
      expiryMonth: method.expiryMonth,
      expiryYear: method.expiryYear,
    },
    attempts: plan.attempts.map((each) => ({ ...each, amount: toNumber(each.amount) })),
  };
}

export const installmentPreviewRecord = (installments: readonly ScheduledInstallment[]) => ({
  installments: installments.map((each) => ({ ...each, amount: toNumber(each.amount) })),
});
