import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer, PaymentMethod } from '#renderer/client';
import { customerQuery } from '#renderer/customers';
import { amountProblem, readAmount } from '#renderer/money';
import { type EndForm, endOf, endProblem, NO_END } from './ending.ts';
import type { NewPlan } from './operations.ts';
import { methodsQuery, previewQuery, todayQuery } from './queries.ts';
import type { Frequency } from './words.ts';

interface NewPlanForm {
  readonly customer: Customer | null;
  readonly amount: string;
  readonly frequency: Frequency;
  /** Undefined is today, whichever day that is for the service. */
  readonly startDate: string | undefined;
  readonly end: EndForm;
  readonly methodId: string;
  readonly name: string;
}

const BLANK: NewPlanForm = {
  customer: null,
  amount: '',
  frequency: 'monthly',
  startDate: undefined,
  end: NO_END,
  methodId: '',
  name: '',
};

export type NewPlanField = 'customer' | 'amount' | 'startDate' | 'end' | 'method';

export interface NewPlanEntry {
  readonly form: NewPlanForm;
  readonly set: (part: Partial<NewPlanForm>) => void;
  readonly today: string;
  readonly startDate: string;
  readonly methods: readonly PaymentMethod[] | undefined;
  readonly hasNothingToPayWith: boolean;
  /** Decimal text; undefined while what is typed is no amount. */
  readonly decimal: string | undefined;
  readonly preview: UseQueryResult<string[]>;
  readonly problems: Partial<Record<NewPlanField, string>>;
  /** Request to send; undefined while a value is missing. */
  readonly request: NewPlan | undefined;
  /** Data of the service that could not be read. */
  readonly unread: UseQueryResult | undefined;
  /** True if only a response of the service is missing. */
  readonly isWaiting: boolean;
}

/** State of a new subscription, with the dates that the service computes. */
export function useNewPlan(merchantId: string, currency: string, customerId: string | undefined): NewPlanEntry {
  const [entered, setEntered] = useState<Partial<NewPlanForm>>({});
  const set = (part: Partial<NewPlanForm>) => setEntered((now) => ({ ...now, ...part }));
  const clock = useQuery(todayQuery(merchantId));
  const today = clock.data ?? '';
  const given = useQuery({ ...customerQuery(customerId ?? ''), enabled: customerId !== undefined });
  const form: NewPlanForm = { ...BLANK, customer: given.data ?? null, ...entered };
  const { customer, frequency, end } = form;
  const onFile = useQuery({ ...methodsQuery(customer?.customerId ?? ''), enabled: customer !== null });
  const methods = onFile.data;
  const unread = [clock, onFile].find((query) => query.isLoadingError);
  const startDate = form.startDate ?? today;
  const reading = readAmount(form.amount, currency);
  const hasNothingToPayWith = methods !== undefined && methods.length === 0;
  const startProblem = form.startDate === '' ? 'Enter the first day.' : startDate < today ? 'The first day is in the past.' : null;
  const endFault = endProblem(end, startDate, 0);
  const isDated = today !== '' && startProblem === null && endFault === null;
  const preview = useQuery({ ...previewQuery({ merchantId, frequency, startDate, ...endOf(end) }), enabled: isDated });
  const problems = said({
    // A known customer is still loading, and so is the present day.
    customer: customer === null && !given.isLoading ? 'Choose a customer from the list.' : null,
    amount: amountProblem(form.amount, currency),
    startDate: startProblem,
    end: endFault,
    method: hasNothingToPayWith ? 'Nothing on file to pay with.' : null,
  });
  const isComplete = customer !== null && reading.kind === 'valid' && isDated && methods !== undefined && !hasNothingToPayWith;
  const request = isComplete
    ? {
        customerId: customer.customerId,
        amount: reading.decimal,
        frequency,
        startDate,
        ...endOf(end),
        ...(form.name.trim() !== '' && { planId: form.name.trim() }),
        ...(form.methodId !== '' && { paymentMethodId: form.methodId }),
      }
    : undefined;
  return {
    form,
    set,
    today,
    startDate,
    methods,
    hasNothingToPayWith,
    decimal: reading.kind === 'valid' ? reading.decimal : undefined,
    preview,
    problems,
    request,
    unread,
    isWaiting: request === undefined && unread === undefined && Object.keys(problems).length === 0,
  };
}

function said(problems: Record<NewPlanField, string | null>): Partial<Record<NewPlanField, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null));
}
