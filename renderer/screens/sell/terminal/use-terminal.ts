import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ConnectivityReport, Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { taxRuleOf, toMinor } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, useAfterRender } from '#renderer/kit/ui';
import { useOutage } from '#renderer/session/connectivity';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { hasGiftCardsQuery } from '#renderer/shared/gift-cards';
import { type Surcharge, useReaderSurcharge, useSurcharge } from '#renderer/shared/surcharge';
import { type EnterGuard, useEnterGuard } from '../charge/enter-guard.ts';
import { forgetDiscount } from '../charge/granted-discount.ts';
import { type PendingCharge, useUnconfirmedCharges } from '../charge/unconfirmed-charges.ts';
import { useApprovalReport } from '../charge/use-approval-report.ts';
import { type PayerChoice, usePayer } from '../customer/use-payer.ts';
import { optionalField, type SaleField, type SaleMode, type SaleRules, type SaleValues, type SellChannel } from '../form/form.ts';
import { tenderModes } from '../form/tenders.ts';
import { totalOf } from '../form/total.ts';
import { type SaleForm, useSaleForm } from '../form/use-sale-form.ts';
import { type GiftCardPayment, useGiftCard } from '../gift-card/use-gift-card.ts';
import { type Basket, useBasket } from '../items/use-basket.ts';
import { type SplitSale, useSplitSale } from '../order/use-split-sale.ts';
import { type ReaderChoice, useCardReaders } from '../reader/use-card-readers.ts';
import { useRunningPayment } from '../reader/use-running-payment.ts';
import { type TerminalSettings, terminalSettings, withReaders, withTenders } from '../state/terminal-settings.ts';
import {
  channelOf,
  type FocusTarget,
  modeOf,
  newTerminal,
  stepTerminal,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from '../state/terminal-state.ts';
import { usePayment } from './use-payment.ts';
import { DETAIL_FIELDS, hasDetails, useLock, usePrefill, useReaderFirst } from './use-sale-start.ts';

/** The virtual terminal as its screen uses it. */
export interface Terminal extends Pick<TerminalState, 'stage' | 'type' | 'accountType' | 'accountHolder' | 'isCardSaved'> {
  readonly settings: TerminalSettings;
  readonly mode: SaleMode;
  readonly channel: SellChannel;
  /** True if a bank account is charged. */
  readonly isBankDebit: boolean;
  readonly rules: SaleRules;
  readonly surcharge: Surcharge;
  readonly form: SaleForm;
  readonly payer: PayerChoice;
  readonly readers: ReaderChoice;
  /** The outage that stops charges; null if cards can be charged. */
  readonly outage: ConnectivityReport | null;
  readonly basket: Basket;
  /** The gift card or store credit that pays. */
  readonly giftCard: GiftCardPayment;
  /** Pays with the gift card whose code a scanner or a card reader has typed. */
  readonly payWithGiftCard: (code: string) => void;
  /** The sale as an order with several payments. */
  readonly sale: SplitSale;
  /** Adds an item, to the next sale if a result is shown. */
  readonly addItem: (item: Item, thousandths: number) => void;
  /** The same with an amount without an item. */
  readonly addAmount: (minor: number, thousandths: number) => void;
  /** The same with a gift card. */
  readonly addGiftCard: Basket['addGiftCard'];
  /** Begins the next sale if a result is shown. Returns false while a sale is sent or its outcome is awaited. */
  readonly readyForEntry: () => boolean;
  /** True while the optional details of the sale are shown. */
  readonly areDetailsOpen: boolean;
  readonly showDetails: (areOpen: boolean) => void;
  readonly enterGuard: EnterGuard;
  /** The button of a notice. */
  readonly actionRef: RefObject<HTMLButtonElement | null>;
  readonly chargeRef: RefObject<HTMLButtonElement | null>;
  readonly dispatch: (event: TerminalEvent) => void;
  readonly charge: (repeatOf?: PendingCharge) => void;
  /** Returns the cash to take for an amount, in minor units. */
  readonly cashDue: (minor: number) => number;
  /** Focuses the next required field with a problem, or charges: the action of the Enter key. */
  readonly next: () => void;
}

/** Connects the state of the terminal to the form, the service, the workstation's devices and the focus. */
export function useTerminal(prefill: SaleValues, linkedCustomer: string | null): Terminal {
  const merchant = useMerchant();
  const { currency, country, merchantId, amountSettings } = merchant;
  const readers = useCardReaders();
  const { areOffered, isFirst } = readers;
  const may = useMay();
  const takesTenders = may('tenders:write');
  const { data: hasGiftCards = false } = useQuery({ ...hasGiftCardsQuery(merchantId), enabled: takesTenders && may('gift-cards:read') });
  const settings = useMemo(() => {
    const tenders = takesTenders ? tenderModes(merchant, hasGiftCards) : [];
    return withReaders(withTenders(terminalSettings(merchant), tenders), { areOffered, isFirst });
  }, [merchant, takesTenders, hasGiftCards, areOffered, isFirst]);
  const { requireCode, requireZip, asksTip } = settings;
  const [state, setState] = useState(() => newTerminal(settings));
  const mode = modeOf(state, settings);
  const channel = channelOf(state, settings);
  const requireProof = mode === 'bank' && state.accountHolder === 'person';
  const rules = useMemo<SaleRules>(
    () => ({ mode, requireCode, requireZip, requireProof, currency, country, asksTip }),
    [mode, requireCode, requireZip, requireProof, currency, country, asksTip],
  );

  // Handlers read the current state here, because rendering may lag behind fast typing.
  const currentState = useRef(state);
  const afterRender = useAfterRender();
  const latest = useRef({
    settings,
    run: (_effect: TerminalEffect) => {},
    values: (): SaleValues => ({}),
    fill: (_values: SaleValues) => {},
    basket: undefined as Basket | undefined,
    sale: undefined as SplitSale | undefined,
    giftCard: undefined as GiftCardPayment | undefined,
  });
  const dispatch = useCallback(
    (event: TerminalEvent) => {
      const step = stepTerminal(currentState.current, withNextPart(event, latest.current.sale), latest.current.settings);
      currentState.current = step.state;
      setState(step.state);
      for (const effect of step.effects) afterRender(() => latest.current.run(effect));
    },
    [afterRender],
  );
  const isSending = useCallback(() => currentState.current.stage.kind === 'sending', []);
  const edited = useCallback(
    (field: SaleField) => {
      if (field === 'giftCode' || field === 'giftPin') latest.current.giftCard?.forget();
      dispatch({ kind: 'field-edited', field });
    },
    [dispatch],
  );

  const form = useSaleForm({ rules, autoAdvance: useWorkstation((workstation) => workstation.autoAdvance), onTyped: edited });
  const outage = useOutage();
  const readerSurcharge = useReaderSurcharge(mode === 'reader' ? readers.reader?.terminalId : undefined);
  const cardSurcharge = useSurcharge(
    form.card,
    mode === 'card' || mode === 'saved' ? mode : 'bank',
    state.entry === 'swiped',
    outage !== null,
  );
  const surcharge = mode === 'reader' ? readerSurcharge : cardSurcharge;
  const tax = useMemo(() => taxRuleOf(amountSettings), [amountSettings]);
  const basket = useBasket(
    form,
    currency,
    tax,
    useCallback(() => edited('amount'), [edited]),
  );
  const payerRef = useRef<PayerChoice>(null);
  const sale = useSplitSale({
    form,
    basket,
    rules: { ...rules, tax: basket.lines.length === 0 ? tax : null, discount: basket.lines.length === 0 ? basket.discount : null },
    merchantId,
    isEntry: state.stage.kind === 'entry' || state.stage.kind === 'sending',
    isSending: state.stage.kind === 'sending',
    payer: payerRef,
    onNewSale: useCallback(() => dispatch({ kind: 'new-sale-requested' }), [dispatch]),
  });
  const [areDetailsOpen, showDetails] = useState(false);
  const enterGuard = useEnterGuard(isSending);
  const reportApproval = useApprovalReport(settings.autoPrint);
  const actionRef = useRef<HTMLButtonElement>(null);
  const chargeRef = useRef<HTMLButtonElement>(null);
  const payer = usePayer(linkedCustomer, ({ customer, chosen }) => {
    const { number, account } = form.values();
    dispatch({
      kind: 'customer-found',
      name: customerName(customer),
      email: customer.email ?? '',
      token: chosen?.token ?? null,
      hasPaymentDetails: Boolean(number?.trim() || account?.trim()),
    });
  });

  payerRef.current = payer;
  const isBankDebit = mode === 'bank' || (mode === 'saved' && payer.payer?.chosen?.type === 'ach');

  /** Tax and discount on the typed amount. Lines have their own. */
  const amountRules = () => (basket.isEmpty() && sale.order === null ? { tax, discount: basket.discount } : { tax: null, discount: null });
  const saleRules = () => ({ ...rules, surchargePercent: surcharge.percent, ...amountRules() });
  const giftCard = useGiftCard({
    form,
    merchantId,
    currency,
    customerId: payer.payer?.customer.customerId,
    soldMinor: basket.giftCards().reduce((sum, { amount }) => sum + toMinor(Number(amount), currency), 0),
    order: sale.order,
    totalOf: (values) => (mode === 'gift_card' ? totalOf(values, saleRules()) : null),
    onFound: () => focusFirst([totalOf(form.values(), saleRules()) === null ? 'amount' : 'charge']),
  });
  const payment = usePayment({
    state: currentState,
    form,
    rules: saleRules,
    amountRules,
    channel,
    outage,
    basket,
    payer,
    readers,
    sale,
    giftCard,
    dispatch,
  });

  const focusTarget = (target: FocusTarget): boolean => {
    if (target === 'next') return focusFirst([form.next() ?? optionalField(mode) ?? 'charge', 'charge']);
    if (target === 'charge') return focusElement(chargeRef.current);
    if (target === 'action') return focusElement(actionRef.current);
    if (target !== 'customer') return form.focus(target);
    payer.customerRef.current?.select();
    return focusElement(payer.customerRef.current);
  };
  const focusFirst = (targets: readonly FocusTarget[]): boolean => targets.some(focusTarget);

  const run = (effect: TerminalEffect): void => {
    switch (effect.kind) {
      case 'announce':
        announce(effect.text);
        break;
      case 'focus': {
        const { targets } = effect;
        const [first] = targets;
        if (first !== undefined && DETAIL_FIELDS.has(first) && !focusTarget(first)) {
          showDetails(true);
          afterRender(() => void focusFirst(targets));
        } else focusFirst(targets);
        break;
      }
      case 'mark-field':
        form.setError(effect.field, effect.message);
        break;
      case 'fill':
        form.fill(effect.values);
        if (effect.showsDetails && hasDetails(effect.values)) showDetails(true);
        break;
      case 'clear':
        form.clear(effect.fields);
        if (effect.fields.includes('giftCode')) giftCard.forget();
        break;
      case 'reset':
        form.reset();
        giftCard.forget();
        basket.clear();
        forgetDiscount();
        payer.clear();
        showDetails(false);
        break;
      case 'renew-key':
        payment.renewKey();
        break;
      case 'hold-enter':
        enterGuard.recordResult();
        break;
      case 'watch':
        useUnconfirmedCharges.getState().add(effect.unconfirmed);
        break;
      case 'report-approval':
        reportApproval(effect.transaction);
        break;
      case 'send':
        payment.send(effect.repeatOf);
    }
  };
  latest.current = { settings, run, values: form.values, fill: form.fill, basket, sale, giftCard };

  useLock(dispatch);
  const isUntouched = useCallback(() => Object.values(latest.current.values()).every((text) => text === ''), []);
  useReaderFirst(isFirst, isUntouched, dispatch);
  useRunningPayment({ readers, dispatch, isUntouched });
  usePrefill(prefill, form, dispatch, showDetails);
  const toBasket = useMemo(() => {
    const readyForEntry = () => {
      const { kind } = currentState.current.stage;
      // At once, so that what follows belongs to the new sale: its first digit, or an item.
      if (kind === 'result' || kind === 'recorded') flushSync(() => dispatch({ kind: 'new-sale-requested' }));
      return currentState.current.stage.kind === 'entry';
    };
    /** Returns true unless an order is being paid, to which nothing can be added. */
    const isFree = () => {
      if (!latest.current.sale?.order) return true;
      announce(t('Finish the split sale first.'));
      return false;
    };
    const adds =
      <Line extends unknown[]>(addTo: (basket: Basket | undefined) => ((...line: Line) => void) | undefined) =>
      (...line: Line) => {
        if (readyForEntry() && isFree()) addTo(latest.current.basket)?.(...line);
      };
    return {
      readyForEntry,
      addItem: adds((to) => to?.add),
      addAmount: adds((to) => to?.addAmount),
      addGiftCard: adds((to) => to?.addGiftCard),
    };
  }, [dispatch]);

  const { stage, type, accountType, accountHolder, isCardSaved } = state;
  return {
    settings,
    rules: saleRules(),
    surcharge,
    form,
    stage,
    type,
    mode,
    accountType,
    accountHolder,
    channel,
    isBankDebit,
    payer,
    readers,
    basket,
    giftCard,
    payWithGiftCard: (code) => {
      if (!settings.modes.includes('gift_card') || !toBasket.readyForEntry()) return;
      dispatch({ kind: 'mode-chosen', mode: 'gift_card' });
      afterRender(() => {
        latest.current.fill({ giftCode: code });
        void latest.current.giftCard?.lookUp();
      });
    },
    sale,
    ...toBasket,
    areDetailsOpen,
    showDetails,
    isCardSaved,
    outage,
    enterGuard,
    actionRef,
    chargeRef,
    dispatch,
    charge: payment.charge,
    cashDue: payment.cashDue,
    next: () => {
      if (currentState.current.stage.kind === 'entry' && giftCard.lookUpFocused()) return;
      const next = form.next();
      if (next === null || (next === 'giftCode' && giftCard.found !== null)) payment.charge();
      else form.focus(next);
    },
  };
}

/** Returns the start of a new sale with the next part of an order that is not paid yet. */
function withNextPart(event: TerminalEvent, sale: SplitSale | undefined): TerminalEvent {
  const amount = event.kind === 'new-sale-requested' ? sale?.nextAmount() : undefined;
  return event.kind === 'new-sale-requested' && amount !== undefined ? { ...event, values: { ...event.values, amount } } : event;
}

/** Returns false if the element is hidden or not on the page. */
function focusElement(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null && document.activeElement === element;
}
