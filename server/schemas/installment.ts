import { Type } from 'typebox';
import { COUNT_MAX, COUNT_MIN, INTERVALS } from '#core/billing/installments';
import { literals } from '#core/platform/fields';
import { AgreementChannelIn } from './channel.ts';
import { AmountIn, IdIn, InvoiceIdIn, Text } from './fields.ts';
import { NewInvoiceFields } from './invoice.ts';
import { named } from './named.ts';

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
  interval: Type.Optional(literals(INTERVALS, 'interval of the installments')),
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

export const InstallmentPreviewBody = Type.Object({ invoiceId: InvoiceIdIn, ...ScheduleFields });
export const PlanMethodBody = Type.Object({
  paymentMethodId: IdIn('pm', 'stored payment method'),
  consentText: ConsentIn,
  agreementChannel: AgreementChannelIn,
});
