import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer, PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount } from '#renderer/base/money';
import type { AgreementChannel, Frequency } from '#renderer/shared/customers';
import { customerQuery } from '#renderer/shared/customers';
import type { NewSubscription } from './operations.ts';
import { methodsQuery, previewQuery, todayQuery } from './queries.ts';
import { type EndForm, endOf, endProblem, NO_END } from './subscription-end.ts';
import { decimalTax, type TaxForm, taxProblem } from './subscription-tax.ts';

interface NewSubscriptionForm extends TaxForm {
  readonly customer: Customer | null;
  readonly amount: string;
  readonly frequency: Frequency;
  /** Undefined means today according to the service. */
  readonly startDate: string | undefined;
  readonly end: EndForm;
  readonly methodId: string;
  readonly name: string;
  /** Channel by which the customer agreed to the debits of a bank account. */
  readonly agreedBy: AgreementChannel;
  /** Reference of the proof of the agreement. */
  readonly proof: string;
}

const EMPTY_FORM: NewSubscriptionForm = {
  customer: null,
  amount: '',
  tax: '',
  purchaseOrder: '',
  frequency: 'monthly',
  startDate: undefined,
  end: NO_END,
  methodId: '',
  name: '',
  agreedBy: 'phone',
  proof: '',
};

export type NewSubscriptionField = 'customer' | 'amount' | 'tax' | 'startDate' | 'end' | 'method';

export interface NewSubscriptionEntry {
  readonly form: NewSubscriptionForm;
  readonly set: (changed: Partial<NewSubscriptionForm>) => void;
  readonly today: string;
  readonly startDate: string;
  readonly methods: readonly PaymentMethod[] | undefined;
  readonly hasNoPaymentMethod: boolean;
  /** True if the subscription debits a bank account, whose holder must have agreed. */
  readonly isBankDebit: boolean;
  /** Decimal text; undefined while the typed amount is not valid. */
  readonly decimal: string | undefined;
  readonly preview: UseQueryResult<string[]>;
  readonly problems: Partial<Record<NewSubscriptionField, string>>;
  /** Request to send; undefined while a value is missing. */
  readonly request: NewSubscription | undefined;
  /** Query that could not be loaded. */
  readonly failedQuery: UseQueryResult | undefined;
  /** True if only a response of the service is missing. */
  readonly isWaiting: boolean;
}

/** State of a new subscription, with the dates that the service computes. */
export function useNewSubscription(merchantId: string, currency: string, customerId: string | undefined): NewSubscriptionEntry {
  const [entered, setEntered] = useState<Partial<NewSubscriptionForm>>({});
  const set = (changed: Partial<NewSubscriptionForm>) => setEntered((now) => ({ ...now, ...changed }));
  const clock = useQuery(todayQuery(merchantId));
  const today = clock.data ?? '';
  const linkedCustomer = useQuery({ ...customerQuery(customerId ?? ''), enabled: customerId !== undefined });
  const form: NewSubscriptionForm = { ...EMPTY_FORM, customer: linkedCustomer.data ?? null, ...entered };
  const { customer, frequency, end } = form;
  const storedMethods = useQuery({ ...methodsQuery(customer?.customerId ?? ''), enabled: customer !== null });
  const methods = storedMethods.data;
  const failedQuery = [clock, storedMethods].find((query) => query.isLoadingError);
  const isBankDebit =
    methods?.find(({ paymentMethodId, isDefault }) => (form.methodId === '' ? isDefault : paymentMethodId === form.methodId))?.type ===
    'ach';
  const startDate = form.startDate ?? today;
  const reading = readAmount(form.amount, currency);
  const hasNoPaymentMethod = methods !== undefined && methods.length === 0;
  const startProblem =
    form.startDate === '' ? t('Enter the date of the first payment.') : startDate < today ? t('The date is in the past.') : null;
  const endError = endProblem(end, startDate, 0);
  const taxError = taxProblem(form.amount, form.tax, currency);
  const hasValidDates = today !== '' && startProblem === null && endError === null;
  const preview = useQuery({ ...previewQuery({ merchantId, frequency, startDate, ...endOf(end) }), enabled: hasValidDates });
  const problems = withoutNulls({
    // The customer of a link may still be loading, and so may the current date.
    customer: customer === null && !linkedCustomer.isLoading ? t('Choose a customer from the list.') : null,
    amount: amountProblem(form.amount, currency),
    tax: taxError,
    startDate: startProblem,
    end: endError,
    method: hasNoPaymentMethod ? t('This customer has no card on file.') : null,
  });
  const tax = decimalTax(form.tax, currency);
  const isComplete =
    customer !== null && reading.kind === 'valid' && taxError === null && hasValidDates && methods !== undefined && !hasNoPaymentMethod;
  const request = isComplete
    ? {
        customerId: customer.customerId,
        amount: reading.decimal,
        ...(tax !== '0' && { taxAmount: tax }),
        ...(form.purchaseOrder.trim() !== '' && { purchaseOrderNumber: form.purchaseOrder.trim() }),
        frequency,
        startDate,
        ...endOf(end),
        ...(form.name.trim() !== '' && { planId: form.name.trim() }),
        ...(form.methodId !== '' && { paymentMethodId: form.methodId }),
        ...(isBankDebit && { agreementChannel: form.agreedBy }),
        ...(isBankDebit && form.proof.trim() !== '' && { bankAuthorization: { reference: form.proof.trim() } }),
      }
    : undefined;
  return {
    form,
    set,
    today,
    startDate,
    methods,
    hasNoPaymentMethod,
    isBankDebit,
    decimal: reading.kind === 'valid' ? reading.decimal : undefined,
    preview,
    problems,
    request,
    failedQuery,
    isWaiting: request === undefined && failedQuery === undefined && Object.keys(problems).length === 0,
  };
}

function withoutNulls(problems: Record<NewSubscriptionField, string | null>): Partial<Record<NewSubscriptionField, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null));
}
