import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  id,
  list,
  literals,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { firstFields } from '../previews.ts';

const PlannedLateFee = record('PlannedLateFee', {
  period: count('Number of the period, from 1', 1),
  day: day('Local day on which it is charged'),
  amount: amount('Amount', 5),
});

const ChargedLateFee = record('ChargedLateFee', {
  lateFeeId: id('lfe', 'ID of the fee'),
  ...PlannedLateFee.properties,
  chargedAt: time('Time at which it was charged'),
  reversed: nullable(
    Type.Object({
      at: time('Time of the reversal'),
      by: text('User or API key', 'admin@demo.example'),
      reason: text('Reason', 'Agreed with the customer'),
    }),
    'Reversal; null if the fee stands',
    null,
  ),
});

/** Late fees of one invoice. */
export const InvoiceLateFees = record('InvoiceLateFees', {
  invoiceId: id('inv', 'ID of the invoice'),
  state: literals(
    ['off', 'scheduled', 'exempt', 'customer_exempt', 'disputed', 'promised', 'done'],
    '`off`: late fees are not switched on, or the merchant is closed; `done`: no further fee follows',
    'scheduled',
  ),
  isExempt: flag('True if this invoice is charged no late fees', false),
  next: nullable(PlannedLateFee, 'Next fee, if nothing changes until then'),
  charged: list(ChargedLateFee, 'Charged fees, oldest first'),
});
export type InvoiceLateFees = RecordOf<typeof InvoiceLateFees>;

export const LateFeePreview = record('LateFeePreview', {
  dueDate: day('Due date of the invoice of the preview'),
  invoiceAmount: amount('Amount of that invoice', 1000),
  currency: currencyCode(),
  life: list(PlannedLateFee, 'First 12 fees of an invoice that is due in 30 days and is not paid'),
  ...firstFields('FirstLateFee', PlannedLateFee, 'charged a fee'),
});
export type LateFeePreview = RecordOf<typeof LateFeePreview>;

export const CustomerLateFees = record('CustomerLateFees', {
  customerId: id('cus', 'ID of the customer'),
  enabled: flag('False if the customer is charged no late fees', true),
});
export type CustomerLateFees = RecordOf<typeof CustomerLateFees>;
