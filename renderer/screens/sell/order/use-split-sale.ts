import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiFailure, api, type NewOrder, type Order, type OrderDetail, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, toMinor, writeMoney } from '#renderer/base/money';
import { announce } from '#renderer/kit/ui';
import { orderQuery, refreshOrders } from '#renderer/shared/orders';
import { useDiscountedPayment } from '../discount/use-discounted-payment.ts';
import type { SaleRules } from '../form/form.ts';
import { totalOf } from '../form/total.ts';
import type { SaleForm } from '../form/use-sale-form.ts';
import type { Basket } from '../items/use-basket.ts';

/** The sale as an order: it is split into several payments, or parked. */
export interface SplitSale {
  /** The order that the next payment pays; null for a sale with one payment. */
  readonly order: OrderDetail | null;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  /** Creates the order of the entered sale; its parts are paid next. */
  readonly split: () => void;
  /** Puts the sale or its order aside. */
  readonly park: (name: string) => void;
  readonly resume: (order: Order) => void;
  /** Enters a part of the remaining amount, in minor units. */
  readonly take: (minor: number) => void;
  /** Ends the work on the order, which stays as it is. */
  readonly leave: () => void;
  /** Cash that was paid out while an order is canceled, in minor units by refund; the same map for the same order. */
  readonly paidOutOf: (orderId: string) => Map<string, number>;
  /** Ends the work on a canceled order, of which cash in minor units is handed back. */
  readonly canceled: (cashMinor: number) => void;
  /** Cash of the last canceled order to hand back, as text with its currency; null if there is none. */
  readonly handBack: string | null;
  readonly handedBack: () => void;
  /** Amount of the next payment as decimal text; undefined without an order that is open. */
  readonly nextAmount: () => string | undefined;
}

interface SplitSaleOptions {
  readonly form: SaleForm;
  readonly basket: Basket;
  readonly rules: SaleRules;
  readonly merchantId: string;
  /** True while the sale is entered. */
  readonly isEntry: boolean;
  /** Begins an empty sale. */
  readonly onNewSale: () => void;
}

type Intent = { readonly kind: 'split' } | { readonly kind: 'park'; readonly name: string };

export function useSplitSale({ form, basket, rules, merchantId, isEntry, onNewSale }: SplitSaleOptions): SplitSale {
  const { currency } = rules;
  const [orderId, setOrderId] = useState<string | null>(null);
  const [handBack, setHandBack] = useState<string | null>(null);
  const paidOut = useRef(new Map<string, Map<string, number>>());
  const intent = useRef<Intent>({ kind: 'split' });
  const { data } = useQuery({ ...orderQuery(orderId ?? ''), enabled: orderId !== null });
  const order = orderId !== null && data?.orderId === orderId ? data : null;
  const latest = useRef({ form, order, onNewSale });
  latest.current = { form, order, onNewSale };

  const leave = useCallback(() => {
    setOrderId(null);
    latest.current = { ...latest.current, order: null };
    latest.current.onNewSale();
  }, []);
  const parking = useMoneyMutation(
    ({ id, name }: { id: string; name: string }, key: string) =>
      takeData(
        api.POST('/api/v1/orders/{id}/park', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: name === '' ? {} : { name },
        }),
      ),
    {
      onSuccess: ({ name, number }) => {
        announce(t('{{order}} is parked.', { order: name ?? number }));
        leave();
        void refreshOrders();
      },
    },
  );
  const creating = useMoneyMutation(
    (body: NewOrder, key) => takeData(api.POST('/api/v1/orders', { body, params: { header: { 'Idempotency-Key': key } } })),
    {
      onSuccess: ({ orderId: id }) => {
        if (intent.current.kind === 'park') return parking.mutate({ id, name: intent.current.name });
        basket.clear();
        setOrderId(id);
        form.focus('amount');
      },
    },
  );
  const discounted = useDiscountedPayment(creating, merchantId);
  const resuming = useMoneyMutation(
    (id: string, key) => takeData(api.POST('/api/v1/orders/{id}/resume', { params: { path: { id }, header: { 'Idempotency-Key': key } } })),
    {
      onSuccess: ({ orderId: id }) => {
        basket.clear();
        setOrderId(id);
      },
      onSettled: () => void refreshOrders(),
    },
  );

  const create = (next: Intent) => {
    const total = totalOf({ ...form.values(), tip: '' }, { ...rules, surchargePercent: 0 });
    if (total === null) {
      form.focus('amount');
      return announce(t('Enter the amount first.'));
    }
    intent.current = next;
    const lineItems = basket.requests();
    const [reference, description] = [form.values().order?.trim(), form.values().description?.trim()];
    void discounted.pay({
      amount: total.decimal,
      ...(total.tax !== null && { taxAmount: total.tax }),
      ...(total.discount !== null && { discountAmount: total.discount }),
      ...(lineItems && { lineItems }),
      ...(reference && { reference }),
      ...(description && { description }),
      currency,
      merchantId,
    });
  };
  const nextAmount = useCallback(() => {
    const current = latest.current.order;
    return current?.status === 'open' ? decimalText(toMinor(current.remainingAmount, current.currency), current.currency) : undefined;
  }, []);

  // The next part is the remaining amount, until a person enters another one.
  const remaining = order?.remainingAmount;
  const status = order?.status;
  useEffect(() => {
    if (!isEntry || remaining === undefined) return;
    if (status === 'open') latest.current.form.fill({ amount: nextAmount() ?? '' });
    else leave();
  }, [isEntry, remaining, status, nextAmount, leave]);

  return {
    order,
    isBusy: discounted.isPending || parking.isPending || resuming.isPending,
    failure: discounted.error ?? parking.error ?? resuming.error,
    split: () => create({ kind: 'split' }),
    park: (name) => (order === null ? create({ kind: 'park', name }) : parking.mutate({ id: order.orderId, name })),
    resume: ({ orderId: id, status: found }) => (found === 'parked' ? resuming.mutate(id) : setOrderId(id)),
    take: (minor) => {
      form.fill({ amount: decimalText(minor, currency) });
      form.focus('amount');
      announce(t('Part of {{amount}}.', { amount: writeMoney(decimalText(minor, currency), currency) }));
    },
    leave,
    paidOutOf: (id) => {
      const known = paidOut.current.get(id) ?? new Map<string, number>();
      paidOut.current.set(id, known);
      return known;
    },
    canceled: (cashMinor) => {
      leave();
      if (cashMinor > 0) setHandBack(writeMoney(decimalText(cashMinor, currency), currency));
    },
    handBack,
    handedBack: () => {
      setHandBack(null);
      form.focus('amount');
    },
    nextAmount,
  };
}
