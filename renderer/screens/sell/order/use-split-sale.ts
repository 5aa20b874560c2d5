import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type ApiFailure, api, type NewOrder, type Order, type OrderDetail, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { announce, useAfterRender } from '#renderer/kit/ui';
import { orderQuery, refreshOrders } from '#renderer/shared/orders';
import { useDiscountedPayment } from '../charge/use-discounted-payment.ts';
import type { PayerChoice } from '../customer/use-payer.ts';
import type { SaleRules, SaleValues } from '../form/form.ts';
import { totalOf } from '../form/total.ts';
import type { SaleForm } from '../form/use-sale-form.ts';
import { forgetCodes, rememberCodes } from '../gift-card/new-codes.ts';
import type { LineRequest } from '../items/basket.ts';
import type { Basket } from '../items/use-basket.ts';
import { holderOf } from './queries.ts';

type AmountRules = Pick<SaleRules, 'tax' | 'discount'>;

/** A sale as its payment names it. */
interface SaleToPay {
  /** Values of the form, with the order that the payment pays. */
  readonly values: SaleValues;
  readonly amounts: AmountRules;
  /** Lines of a sale without an order. */
  readonly lines: LineRequest[] | undefined;
  /** Lines of the order that the payment pays, by their position. */
  readonly orderLines?: number[];
}

/** The sale as an order: it is split into several payments, or parked. */
export interface SplitSale {
  /** The order that the next payment pays; null for a sale with one payment. */
  readonly order: OrderDetail | null;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  /**
   * Returns the sale as its payment names it; `amounts` apply to an amount without an order. A sale that sells gift cards, and one of which this payment pays
   * a part, become an order first; null if it could not be created.
   */
  readonly toPay: (amounts: AmountRules, paysPart: boolean) => Promise<SaleToPay | null>;
  /** Creates the order of the entered sale; its parts are paid next. */
  readonly split: () => void;
  /** Puts the sale or its order aside. */
  readonly park: (name: string) => void;
  /** Resumes a parked order, or takes over an open one from the person who has it. */
  readonly resume: (order: Order) => void;
  /** Enters a part of the remaining amount, in minor units. */
  readonly take: (minor: number) => void;
  /** Lines of the order that the next payment pays, by their position. */
  readonly lines: readonly number[];
  /** Checks a line, or unchecks it, and enters what remains of the checked ones. */
  readonly toggleLine: (line: number) => void;
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
  /** True while a payment is sent. */
  readonly isSending: boolean;
  readonly payer: RefObject<PayerChoice | null>;
  /** Begins an empty sale. */
  readonly onNewSale: () => void;
}

type Intent = { readonly kind: 'split' | 'place' } | { readonly kind: 'park'; readonly name: string };

export function useSplitSale({ form, basket, rules, merchantId, isEntry, isSending, payer, onNewSale }: SplitSaleOptions): SplitSale {
  const { currency } = rules;
  const [orderId, setOrderId] = useState<string | null>(null);
  const [handBack, setHandBack] = useState<string | null>(null);
  const paidOut = useRef(new Map<string, Map<string, number>>());
  const intent = useRef<Intent>({ kind: 'split' });
  const afterRender = useAfterRender();
  const placed = useRef<Pick<SaleValues, 'order' | 'amount'>>(null);
  /** Order whose customer is loaded. */
  const resumed = useRef<string>(null);
  const { data } = useQuery({ ...orderQuery(orderId ?? ''), enabled: orderId !== null });
  const order = orderId !== null && data?.orderId === orderId ? data : null;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const lines = order === null ? [] : payableLines(order, chosen, form.amount);
  const latest = useRef({ form, order, onNewSale });
  latest.current = { form, order, onNewSale };

  const leave = useCallback(() => {
    const left = latest.current.order;
    if (left?.status === 'paid') forgetCodes(left.orderId);
    setOrderId(null);
    resumed.current = null;
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
      onSuccess: (created) => {
        const { orderId: id } = created;
        placed.current = { order: id, amount: decimalText(toMinor(created.amount, currency), currency) };
        rememberCodes(created);
        creating.reset();
        if (intent.current.kind === 'park') return parking.mutate({ id, name: intent.current.name });
        basket.clear();
        setOrderId(id);
        // The amount is on the screen once the lines are gone.
        if (intent.current.kind === 'split') afterRender(() => form.focus('amount'));
      },
    },
  );
  const discounted = useDiscountedPayment(creating, merchantId);
  const continueWith = ({ orderId: id, customerId }: Order) => {
    basket.clear();
    // The customer on the screen belongs to another sale, and so does the card on file.
    payer.current?.clear();
    form.clear(['token', 'name', 'email']);
    setOrderId(id);
    resumed.current = id;
    if (customerId !== null) payer.current?.load(customerId, () => resumed.current === id);
  };
  const resuming = useMoneyMutation(
    (order: Order, key) => {
      const [params, holder] = [{ path: { id: order.orderId }, header: { 'Idempotency-Key': key } }, holderOf(order)];
      return takeData(api.POST('/api/v1/orders/{id}/resume', { params, body: holder === null ? {} : { takeOverFrom: holder } }));
    },
    {
      onSuccess: continueWith,
      onSettled: () => void refreshOrders(),
    },
  );

  const create = async (next: Intent): Promise<boolean> => {
    const total = totalOf({ ...form.values(), tip: '' }, { ...rules, surchargePercent: 0 });
    if (total === null) {
      form.focus('amount');
      announce(t('Enter the amount first.'));
      return false;
    }
    intent.current = next;
    const lineItems = basket.requests();
    const giftCards = basket.giftCards();
    const customerId = payer.current?.payer?.customer.customerId;
    const [reference, description] = [form.values().order?.trim(), form.values().description?.trim()];
    return discounted.pay({
      amount: total.decimal,
      ...(total.tax !== null && { taxAmount: total.tax }),
      ...(total.discount !== null && { discountAmount: total.discount }),
      ...(lineItems && { lineItems }),
      ...(giftCards.length > 0 && { giftCards }),
      ...(reference && { reference }),
      ...(description && { description }),
      ...(customerId && { customerId }),
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
    setChosen([]);
    if (status === 'open') latest.current.form.fill({ amount: nextAmount() ?? '' });
  }, [isEntry, remaining, status, nextAmount]);
  const isOver = status !== undefined && status !== 'open' && isEntry && !isSending;
  useEffect(() => {
    if (isOver) leave();
  }, [isOver, leave]);

  const take = (minor: number) => {
    form.fill({ amount: decimalText(minor, currency) });
    form.focus('amount');
    announce(t('Part of {{amount}}.', { amount: writeMoney(decimalText(minor, currency), currency) }));
  };
  return {
    order,
    isBusy: discounted.isPending || parking.isPending || resuming.isPending,
    failure: discounted.error ?? parking.error ?? resuming.error,
    async toPay(amounts, paysPart) {
      const values = form.values();
      if (order === null && !paysPart && basket.giftCards().length === 0) return { values, amounts, lines: basket.requests() };
      const inOrder = { amounts: { tax: null, discount: null }, lines: undefined };
      if (order !== null)
        return { values: { ...values, order: order.orderId }, ...inOrder, ...(lines.length > 0 && { orderLines: [...lines] }) };
      const isPlaced = await create({ kind: 'place' });
      return isPlaced ? { values: { ...values, tax: '', ...placed.current }, ...inOrder } : null;
    },
    split: () => void create({ kind: 'split' }),
    park: (name) => (order === null ? void create({ kind: 'park', name }) : parking.mutate({ id: order.orderId, name })),
    resume: resuming.mutate,
    take: (minor) => {
      setChosen([]);
      take(minor);
    },
    lines,
    toggleLine: (line) => {
      if (order === null) return;
      const next = lines.includes(line) ? lines.filter((each) => each !== line) : [...lines, line].sort((a, b) => a - b);
      setChosen(next);
      take(Math.min(next.length === 0 ? Number.POSITIVE_INFINITY : restOf(order, next), toMinor(order.remainingAmount, currency)));
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

/** Returns what remains of lines of an order, in minor units. */
const restOf = ({ lineItems, currency }: OrderDetail, lines: readonly number[]): number =>
  lines.reduce((sum, line) => sum + toMinor(lineItems[line]?.remainingAmount ?? 0, currency), 0);

/** Returns the chosen lines that the entered amount can pay: none if it is more than what remains of them, because it is a part of the whole sale then. */
function payableLines(order: OrderDetail, chosen: readonly number[], amount: string): readonly number[] {
  const lines = chosen.filter((line) => restOf(order, [line]) > 0);
  const entered = readAmount(amount, order.currency);
  const isAbove = entered.kind === 'valid' && toMinor(Number(entered.decimal), order.currency) > restOf(order, lines);
  return isAbove ? [] : lines;
}
