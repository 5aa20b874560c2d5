import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Customer } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import {
  type CustomerField,
  type CustomerForm,
  changeOf,
  EMPTY_FORM,
  type Faults,
  faultsFrom,
  focusFault,
  formOf,
  problemsOf,
} from './form.ts';
import { changeCustomer, createCustomer, refreshCustomers } from './queries.ts';

/** State of a customer form: values, problems and saving. */
interface CustomerFormState {
  readonly form: CustomerForm;
  readonly faults: Faults;
  /** A failure that is about none of the fields. */
  readonly failure: ApiFailure | null;
  readonly isBusy: boolean;
  readonly onField: (name: CustomerField, text: string) => void;
  readonly save: () => void;
}

/** The form of a customer, or of a new one where there is none yet. */
export function useCustomerForm(before: Customer | undefined, onSaved: (customer: Customer) => void): CustomerFormState {
  const { merchantId, country } = useMerchant();
  const [form, setForm] = useState(() => (before ? formOf(before) : EMPTY_FORM));
  const [faults, setFaults] = useState<Faults>({});
  // Values at the opening of the form, so that changes by others in the meantime are not undone.
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
    onError: (failure) => blame(faultsFrom(failure)),
  });
  const blame = (found: Faults) => {
    setFaults(found);
    focusFault(found);
  };
  return {
    form,
    faults,
    failure: saving.error && Object.keys(faultsFrom(saving.error)).length === 0 ? saving.error : null,
    isBusy: saving.isPending,
    onField: (name, text) => {
      setForm((all) => ({ ...all, [name]: text }));
      setFaults(({ [name]: _, ...others }) => others);
    },
    save: () => {
      const found = problemsOf(form);
      if (Object.keys(found).length > 0) blame(found);
      else if (!saving.isPending) saving.mutate();
    },
  };
}
