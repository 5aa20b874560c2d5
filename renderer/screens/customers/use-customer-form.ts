import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Customer } from '#renderer/base/client';
import { useMerchant } from '#renderer/session/user';
import {
  type CustomerField,
  type CustomerForm,
  changeOf,
  EMPTY_FORM,
  focusFirstProblem,
  formOf,
  type Problems,
  problemsFrom,
  problemsOf,
} from './form.ts';
import { changeCustomer, createCustomer, refreshCustomers } from './queries.ts';

/** State of a customer form: values, problems and saving. */
interface CustomerFormState {
  readonly form: CustomerForm;
  readonly problems: Problems;
  /** A failure that is not about a field. */
  readonly failure: ApiFailure | null;
  readonly isBusy: boolean;
  readonly onField: (name: CustomerField, text: string) => void;
  readonly save: () => void;
}

/** Form state of a customer; `before` is undefined for a new one. */
export function useCustomerForm(before: Customer | undefined, onSaved: (customer: Customer) => void): CustomerFormState {
  const { merchantId, country } = useMerchant();
  const [form, setForm] = useState(() => (before ? formOf(before) : EMPTY_FORM));
  const [problems, setProblems] = useState<Problems>({});
  // Values when the form was opened, so that changes by others in the meantime are not undone.
  const [start] = useState(before);
  const saving = useMutation({
    mutationFn: () => {
      const change = changeOf(form, country, start);
      return start ? changeCustomer(start.customerId, change) : createCustomer(merchantId, change);
    },
    onSuccess: (customer) => {
      void refreshCustomers();
      onSaved(customer);
    },
    onError: (failure) => showProblems(problemsFrom(failure)),
  });
  const showProblems = (found: Problems) => {
    setProblems(found);
    focusFirstProblem(found);
  };
  return {
    form,
    problems,
    failure: saving.error && Object.keys(problemsFrom(saving.error)).length === 0 ? saving.error : null,
    isBusy: saving.isPending,
    onField: (name, text) => {
      setForm((all) => ({ ...all, [name]: text }));
      setProblems(({ [name]: _, ...others }) => others);
    },
    save: () => {
      const found = problemsOf(form);
      if (Object.keys(found).length > 0) showProblems(found);
      else if (!saving.isPending) saving.mutate();
    },
  };
}
