import { useState } from 'react';
import type { Customer } from '#renderer/base/client';
import { useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { type CustomerField, changeOf, EMPTY_FORM, focusFirstProblem, formOf, type Problems, problemsFrom, problemsOf } from './form.ts';
import { changeCustomer, createCustomer, refreshCustomers } from './queries.ts';

type Submission = Parameters<typeof useSubmit<Customer>>[0];

/** Form of a customer: properties of its fields, and of the form that saves them; `before` is undefined for a new customer. */
export function useCustomerForm(before: Customer | undefined, submission: Omit<Submission, 'send' | 'refresh' | 'onFailure'>) {
  const { merchantId, country } = useMerchant();
  const [form, setForm] = useState(() => (before ? formOf(before) : EMPTY_FORM));
  const [problems, setProblems] = useState<Problems>({});
  // Values when the form was opened, so that changes by others in the meantime are not undone.
  const [start] = useState(before);
  const saving = useSubmit({
    send: () => {
      const change = changeOf(form, country, start);
      return start ? changeCustomer(start.customerId, change) : createCustomer(merchantId, change);
    },
    refresh: refreshCustomers,
    onFailure: (failure) => showProblems(problemsFrom(failure)),
    ...submission,
  });
  const showProblems = (found: Problems) => {
    setProblems(found);
    focusFirstProblem(found);
  };
  const onField = (name: CustomerField, text: string) => {
    setForm((all) => ({ ...all, [name]: text }));
    setProblems(({ [name]: _, ...others }) => others);
  };
  const onSubmit = () => {
    const found = problemsOf(form);
    if (Object.keys(found).length > 0) showProblems(found);
    else saving.onSubmit();
  };
  const isAtField = saving.failure !== null && Object.keys(problemsFrom(saving.failure)).length > 0;
  return { fields: { form, problems, onField }, saving: { ...saving, failure: isAtField ? null : saving.failure, onSubmit } };
}
