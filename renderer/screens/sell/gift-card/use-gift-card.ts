import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import {
  ApiFailure,
  api,
  describeFailure,
  type GiftCard,
  type GiftCardBalance,
  type NewTender,
  type OrderDetail,
  queryClient,
  takePage,
} from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { toMinor, writeMoney } from '#renderer/base/money';
import { announce, dayText } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { codeBody, findGiftCard } from '#renderer/shared/gift-cards';
import type { SaleField, SaleValues } from '../form/form.ts';
import type { Total } from '../form/total.ts';
import type { SaleForm } from '../form/use-sale-form.ts';

/** Part of a sale that a gift card pays, and what remains for other payments, in minor units. */
interface Takes {
  readonly takenMinor: number;
  readonly restMinor: number;
}

/** The gift card or store credit that pays the sale. Its code stays in the field of the form. */
export interface GiftCardPayment {
  /** Card whose balance was looked up; null until then. */
  readonly found: GiftCardBalance | null;
  /** Store credit of the sale's customer, which pays without a code; null without any. */
  readonly credit: GiftCard | null;
  readonly isLooking: boolean;
  /** Returns what the card takes; null unless its balance and the amount of the sale are known. */
  readonly takes: () => Takes | null;
  /** True if a code is typed whose balance is not known. */
  readonly needsLookUp: () => boolean;
  /** Marks the code if it is missing, or if the card cannot pay anything of the sale. */
  readonly problem: () => SaleField | null;
  /** Looks up the typed code. If the card cannot pay, the code says why. */
  readonly lookUp: () => Promise<void>;
  /** Looks up the typed code if its field has the focus, also before the amount is known. Returns false if there is nothing to look up. */
  readonly lookUpFocused: () => boolean;
  /** Looks up the balance again if another till has used the card, or if the card has expired in the meantime. */
  readonly paymentFailed: (failure: ApiFailure) => void;
  /** Forgets the card, because its code changed. */
  readonly forget: () => void;
  /** Returns the fields of the tender that name the card. */
  readonly reference: () => Pick<NewTender, 'giftCardCode' | 'giftCardPin' | 'giftCardId' | 'customerId'>;
}

interface GiftCardOptions {
  readonly form: SaleForm;
  readonly merchantId: string;
  readonly currency: string;
  /** Customer of the sale. */
  readonly customerId: string | undefined;
  /** Gift cards that the sale sells, in minor units. */
  readonly soldMinor: number;
  /** Order that the payment pays; null without one. */
  readonly order: OrderDetail | null;
  /** Returns the total of the sale; null unless it is valid and is paid with a gift card. */
  readonly totalOf: (values: SaleValues) => Total | null;
  /** Called when the balance of a card that can pay is known. */
  readonly onFound: () => void;
}

export function useGiftCard(options: GiftCardOptions): GiftCardPayment {
  const { form, merchantId, currency, customerId, soldMinor, order, totalOf, onFound } = options;
  const mayRead = useMay()('gift-cards:read');
  const [found, setFound] = useState<GiftCardBalance | null>(null);
  const [isLooking, setLooking] = useState(false);
  const { data = null } = useQuery({
    ...storeCreditQuery(merchantId, customerId ?? '', currency),
    enabled: mayRead && customerId !== undefined,
  });
  const credit = customerId === undefined ? null : data;
  /** Number of the look-up, so that the answer about an earlier code is not shown. */
  const looked = useRef(0);
  const forget = useCallback(() => {
    looked.current += 1;
    setFound(null);
    setLooking(false);
  }, []);
  const typedCode = () => ({ code: form.values().giftCode ?? '', pin: form.values().giftPin ?? '' });
  const takesOf = (card: Pick<GiftCard, 'balance'> | null): Takes | null => {
    const total = totalOf(form);
    if (total === null || card === null) return null;
    const totalMinor = toMinor(Number(total.decimal), currency);
    const payableMinor = order === null ? totalMinor - soldMinor : payableByGiftCard(order, totalMinor);
    const takenMinor = Math.min(toMinor(card.balance, currency), payableMinor);
    return { takenMinor, restMinor: totalMinor - takenMinor };
  };
  const takes = () => takesOf(found ?? credit);
  const mark = (message: string) => {
    form.setError('giftCode', message);
    form.focus('giftCode');
    announce(message);
  };
  const lookUp = async () => {
    forget();
    const typed = typedCode();
    if (typed.code.trim() === '') return mark(NO_CODE);
    const number = looked.current;
    setLooking(true);
    try {
      const card = await findGiftCard(merchantId, typed);
      if (number !== looked.current) return;
      const problem = problemOf(card) ?? (takesOf(card)?.takenMinor === 0 ? NO_GIFT_CARDS : null);
      if (problem !== null) return mark(problem);
      setFound(card);
      onFound();
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      if (number === looked.current) mark(failureText(failure));
    } finally {
      if (number === looked.current) setLooking(false);
    }
  };
  const needsLookUp = () => found === null && typedCode().code.trim() !== '';
  return {
    found,
    credit,
    isLooking,
    takes,
    needsLookUp,
    problem: () => {
      if (totalOf(form.values()) === null) return null;
      const message = found === null && credit === null ? NO_CODE : takes()?.takenMinor === 0 ? NO_GIFT_CARDS : null;
      if (message !== null) form.setError('giftCode', message);
      return message === null ? null : 'giftCode';
    },
    lookUp,
    lookUpFocused: () => {
      const focused = document.activeElement;
      const isCode = focused instanceof HTMLInputElement && (focused.name === 'giftCode' || focused.name === 'giftPin');
      if (!isCode || !needsLookUp()) return false;
      void lookUp();
      return true;
    },
    paymentFailed({ details }) {
      if (details.balance === undefined && details.reason !== 'gift_card_expired') return;
      if (typedCode().code.trim() === '') void queryClient.invalidateQueries({ queryKey: ['gift-cards'] });
      else void lookUp();
    },
    forget,
    reference: () => {
      const typed = typedCode();
      if (typed.code.trim() === '' && credit !== null && customerId !== undefined) return { giftCardId: credit.giftCardId, customerId };
      const { code, pin } = codeBody(typed);
      return { giftCardCode: code, ...(pin !== undefined && { giftCardPin: pin }) };
    },
  };
}

const NO_CODE = t('Enter the code of the gift card.');
const NO_GIFT_CARDS = t('Gift cards pay for no gift cards. Choose another payment method.');

/** Returns why a card pays nothing; null if it pays. */
function problemOf({ status, balance, currency, expiresOn }: GiftCardBalance): string | null {
  if (status === 'expired') return t('This gift card expired on {{day}}.', { day: dayText(expiresOn ?? '') });
  if (status === 'blocked') return t('This gift card is blocked. It pays nothing until it is unblocked.');
  return balance > 0 ? null : t('This gift card is spent: its balance is {{amount}}.', { amount: writeMoney(balance, currency) });
}

/** Returns the message of a look-up that failed. */
function failureText(failure: ApiFailure): string {
  if (failure.code === 'NOT_FOUND') return t('No gift card has this code. Check the code and the PIN.');
  return describeFailure(failure).problem;
}

/** Returns the part of an amount that gift cards can pay of an order, in minor units: they pay for no gift cards. */
function payableByGiftCard({ amount, currency, giftCards, payments }: OrderDetail, amountMinor: number): number {
  const minor = (decimal: number) => toMinor(decimal, currency);
  const sold = giftCards.reduce((sum, card) => sum + minor(card.amount), 0);
  if (sold === 0) return amountMinor;
  const paid = payments
    .filter(({ kind, state }) => kind === 'gift_card' && state !== 'released')
    .reduce((sum, { shareAmount, returnedAmount }) => sum + minor(shareAmount) - minor(returnedAmount), 0);
  return Math.max(0, Math.min(amountMinor, minor(amount) - sold - paid));
}

/** Currencies in which a customer can have store credit. */
const CURRENCIES = 20;

/** Store credit of a customer that can pay in a currency; null if there is none. */
const storeCreditQuery = (merchantId: string, customerId: string, currency: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'credit', merchantId, customerId, currency],
    queryFn: async () => {
      const query = { merchantId, customerId, kind: 'store_credit', status: 'active', limit: CURRENCIES } as const;
      const { items } = await takePage(api.GET('/api/v1/gift-cards', { params: { query } }));
      return items.find((credit) => credit.currency === currency && credit.balance > 0) ?? null;
    },
    staleTime: 0,
  });
