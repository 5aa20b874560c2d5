import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiFailure, type Customer, type PaymentMethod } from '#renderer/client';
import { announce } from '#renderer/ui';
import type { SaleValues } from '../form/form.ts';
import { createCustomer, customerName, type Payer, payerNamed, payerOf } from './payer.ts';

/** Customer of the sale, for the terminal. */
export interface PayerChoice {
  readonly payer: Payer | null;
  /** Consent to save the card; null saves nothing. */
  readonly consent: string | null;
  readonly customerRef: RefObject<HTMLInputElement | null>;
  readonly setConsent: (consent: string | null) => void;
  readonly pick: (customer: Customer | null) => void;
  readonly chooseMethod: (method: PaymentMethod) => void;
  readonly clear: () => void;
  /** The customer whose file the card is put on, made of the form's name and e-mail where none was chosen. */
  readonly forSaving: (values: SaleValues, merchantId: string) => Promise<string>;
}

/** State of the sale's customer. `onPayer` is called with each customer found and the payment method to charge. */
export function usePayer(linked: string | null, onPayer: (payer: Payer) => void): PayerChoice {
  const [payer, setPayer] = useState<Payer | null>(null);
  const [consent, setConsent] = useState<string | null>(null);
  const customerRef = useRef<HTMLInputElement>(null);
  const latest = useRef({ onPayer, payer });
  latest.current = { onPayer, payer };

  const arrive = useCallback((found: Payer) => {
    setPayer(found);
    const { customer, chosen } = found;
    announce(`${customerName(customer)}${chosen ? '' : ', nothing on file'}.`);
    latest.current.onPayer(found);
  }, []);
  const pick = useCallback(
    (customer: Customer | null) => {
      if (customer === null) return setPayer(null);
      void payerOf(customer).then(arrive, tellFault);
    },
    [arrive],
  );
  const clear = useCallback(() => {
    setPayer(null);
    setConsent(null);
  }, []);
  const chooseMethod = useCallback((method: PaymentMethod) => {
    const { payer: present, onPayer: tell } = latest.current;
    if (!present) return;
    const next = { ...present, chosen: method };
    setPayer(next);
    tell(next);
  }, []);
  const forSaving = useCallback(async (values: SaleValues, merchantId: string) => {
    const { payer: present } = latest.current;
    if (present) return present.customer.customerId;
    const [firstName, ...rest] = (values.name ?? '').trim().split(/\s+/).filter(Boolean);
    const email = values.email?.trim() || undefined;
    const customer = await createCustomer({ firstName, lastName: rest.join(' ') || undefined, email, merchantId });
    setPayer({ customer, methods: [], chosen: null });
    return customer.customerId;
  }, []);
  useEffect(() => {
    if (linked !== null) void payerNamed(linked).then(arrive, tellFault);
  }, [linked, arrive]);
  return useMemo(
    () => ({ payer, consent, customerRef, setConsent, pick, chooseMethod, clear, forSaving }),
    [payer, consent, pick, chooseMethod, clear, forSaving],
  );
}

function tellFault(failure: unknown): void {
  announce(failure instanceof ApiFailure ? failure.message : 'The customer could not be read.');
}
