import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiFailure, api, type Customer, type PaymentMethod, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce } from '#renderer/kit/ui';
import { createCustomer, customerName } from '#renderer/shared/customers';
import type { SaleValues } from '../form/form.ts';

/** Customer of the sale, for the terminal. */
export interface PayerChoice {
  readonly payer: Payer | null;
  /** Consent to save the card; null saves nothing. */
  readonly consent: string | null;
  readonly customerRef: RefObject<HTMLInputElement | null>;
  readonly setConsent: (consent: string | null) => void;
  /** Takes the customer with an ID, if `isWanted` is still true when it has been read. */
  readonly load: (customerId: string, isWanted?: () => boolean) => void;
  readonly pick: (customer: Customer | null) => void;
  readonly chooseMethod: (method: PaymentMethod) => void;
  readonly clear: () => void;
  /** Returns the ID of the customer to save the card for; creates one from the form's name and email if none was chosen. */
  readonly findOrCreateCustomer: (values: SaleValues, merchantId: string) => Promise<string>;
}

/** State of the sale's customer. `onPayer` is called with each customer found and the payment method to charge. */
export function usePayer(linked: string | null, onPayer: (payer: Payer) => void): PayerChoice {
  const [payer, setPayer] = useState<Payer | null>(null);
  const [consent, setConsent] = useState<string | null>(null);
  const customerRef = useRef<HTMLInputElement>(null);
  const latest = useRef({ onPayer, payer });
  latest.current = { onPayer, payer };

  const applyPayer = useCallback((found: Payer) => {
    setPayer(found);
    const { customer, chosen } = found;
    const name = customerName(customer);
    announce(chosen ? `${name}.` : t('{{customer}}, no card on file.', { customer: name }));
    latest.current.onPayer(found);
  }, []);
  const load = useCallback(
    (customerId: string, isWanted: () => boolean = () => true) =>
      void readPayer(customerId).then((found) => {
        if (isWanted()) applyPayer(found);
      }, announceFailure),
    [applyPayer],
  );
  const pick = useCallback(
    (customer: Customer | null) => {
      if (customer === null) return setPayer(null);
      void loadPayer(customer).then(applyPayer, announceFailure);
    },
    [applyPayer],
  );
  const clear = useCallback(() => {
    setPayer(null);
    setConsent(null);
  }, []);
  const chooseMethod = useCallback((method: PaymentMethod) => {
    const { payer: current, onPayer: notify } = latest.current;
    if (!current) return;
    const next = { ...current, chosen: method };
    setPayer(next);
    notify(next);
  }, []);
  const findOrCreateCustomer = useCallback(async (values: SaleValues, merchantId: string) => {
    const { payer: current } = latest.current;
    if (current) return current.customer.customerId;
    const [firstName, ...rest] = (values.name ?? '').trim().split(/\s+/).filter(Boolean);
    const email = values.email?.trim() || undefined;
    const customer = await createCustomer(merchantId, { firstName, lastName: rest.join(' ') || undefined, email });
    setPayer({ customer, methods: [], chosen: null });
    return customer.customerId;
  }, []);
  useEffect(() => {
    if (linked !== null) load(linked);
  }, [linked, load]);
  return useMemo(
    () => ({ payer, consent, customerRef, setConsent, load, pick, chooseMethod, clear, findOrCreateCustomer }),
    [payer, consent, load, pick, chooseMethod, clear, findOrCreateCustomer],
  );
}

function announceFailure(failure: unknown): void {
  announce(failure instanceof ApiFailure ? failure.message : t('The customer could not be loaded.'));
}

const METHODS_MAX = 50;

/** The customer of a sale with the stored payment methods and the one to charge. */
export interface Payer {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly chosen: PaymentMethod | null;
}

/** Returns the stored payment methods of a customer, the default first. */
async function loadPayer(customer: Customer): Promise<Payer> {
  const { items } = await takePage(
    api.GET('/api/v1/customers/{id}/payment-methods', {
      params: { path: { id: customer.customerId }, query: { limit: METHODS_MAX } },
    }),
  );
  return { customer, methods: items, chosen: items[0] ?? null };
}

/** Loads the customer of a link with the stored payment methods. */
async function readPayer(customerId: string): Promise<Payer> {
  return loadPayer(await takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id: customerId } } })));
}
