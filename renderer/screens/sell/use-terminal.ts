import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiFailure, type ConnectivityReport, type Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { cashFor, decimalText, readAmount, taxRuleOf, toMinor, writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, useAfterRender } from '#renderer/kit/ui';
import { useOutage } from '#renderer/session/connectivity';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { hasGiftCardsQuery } from '#renderer/shared/gift-cards';
import { type Surcharge, useReaderSurcharge, useSurcharge } from '#renderer/shared/surcharge';
import { readFailure } from './charge/charge-result.ts';
import { saleRequest } from './charge/request.ts';
import { useCharge } from './charge/use-charge.ts';
import { type EnterGuard, useEnterGuard } from './charge/use-enter-guard.ts';
import { withDiscount } from './charge/with-discount.ts';
import { lastFourOf, methodLabelOf } from './customer/payment-method.ts';
import { type PayerChoice, usePayer } from './customer/use-payer.ts';
import { discountField, forgetDiscount } from './discount/granted-discount.ts';
import {
  type ChargeMode,
  isTender,
  optionalField,
  type SaleField,
  type SaleMode,
  type SaleRules,
  type SaleValues,
  type SellChannel,
  type TenderMode,
} from './form/form.ts';
import { type Total, totalOf } from './form/total.ts';
import { type SaleForm, useSaleForm } from './form/use-sale-form.ts';
import { type GiftCardPayment, useGiftCard } from './gift-card/use-gift-card.ts';
import { type Basket, useBasket } from './items/use-basket.ts';
import { type SplitSale, useSplitSale } from './order/use-split-sale.ts';
import { type ReaderChoice, useCardReaders } from './reader/use-card-readers.ts';
import { useRunningPayment } from './reader/use-running-payment.ts';
import type { PendingCharge } from './stage.ts';
import { tenderModes } from './tender/modes.ts';
import { useTender } from './tender/use-tender.ts';
import { type TerminalSettings, terminalSettings, withReaders, withTenders } from './terminal-settings.ts';
import {
  channelOf,
  type FocusTarget,
  modeOf,
  newTerminal,
  stepTerminal,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from './terminal-state.ts';
import { useUnconfirmedCharges } from './unconfirmed/unconfirmed-charges.ts';
import { useApprovalReport } from './use-approval-report.ts';
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
  const surchargePercent = surcharge.percent;
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
  const { send, renewKey } = useCharge();
  const tender = useTender();
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
  const giftCard = useGiftCard({
    form,
    merchantId,
    currency,
    customerId: payer.payer?.customer.customerId,
    soldMinor: basket.giftCards().reduce((sum, { amount }) => sum + toMinor(Number(amount), currency), 0),
    order: sale.order,
    totalOf: (values) => (mode === 'gift_card' ? totalOf(values, { ...rules, ...amountRules() }) : null),
    onFound: () => focusFirst([totalOf(form.values(), { ...rules, ...amountRules() }) === null ? 'amount' : 'charge']),
  });

  const charge = (repeatOf?: PendingCharge) => {
    // Marks the fields with a problem; during a charge the form stays unchanged.
    if (currentState.current.stage.kind !== 'entry') return;
    if (outage !== null && !isTender(mode)) return announce(t('Cards can’t be charged during the outage.'));
    if (mode === 'gift_card' && giftCard.needsLookUp()) return void giftCard.lookUp();
    const firstProblem = form.validate()[0] ?? problemOfDiscount() ?? problemOfGiven() ?? giftCard.problem();
    const { name, email } = form.values();
    const hasCustomer = Boolean(payer.payer || name?.trim() || email?.trim());
    const check = { firstProblem, savesCard: Boolean(payer.consent?.trim()), hasCustomer };
    dispatch({ kind: 'charge-requested', form: check, ...(repeatOf ? { repeatOf } : {}) });
  };

  /** Marks the amount if its discount leaves nothing to charge. */
  const problemOfDiscount = (): SaleField | null => {
    if (totalOf(form.values(), { ...rules, ...amountRules() }) !== null || basket.discount === null) return null;
    form.setError('amount', t('The discount takes off the whole amount.'));
    return 'amount';
  };

  /** Returns the cash to take for an amount, in minor units. */
  const cashDue = (minor: number) => cashFor(minor, currency, merchant.vtSettings.cashRounding, sale.order?.payments);

  /** Marks the cash given if it is less than the total. */
  const problemOfGiven = (): SaleField | null => {
    const total = totalOf(form.values(), { ...rules, ...amountRules() });
    const given = readAmount(form.values().given ?? '', currency);
    if (mode !== 'cash' || total === null || given.kind !== 'valid') return null;
    const due = cashDue(toMinor(Number(total.decimal), currency));
    if (toMinor(Number(given.decimal), currency) >= due) return null;
    form.setError('given', t('The amount given is less than {{amount}}.', { amount: writeMoney(decimalText(due, currency), currency) }));
    return 'given';
  };

  /** Reads the form and records its tender. */
  const recordTender = async (tenderMode: TenderMode) => {
    const takes = giftCard.takes();
    const card = tenderMode === 'gift_card' ? giftCard.reference() : undefined;
    const toPay = await sale.toPay(amountRules(), takes !== null && takes.restMinor > 0);
    // The reason is beside the buttons that split and park.
    if (toPay === null) return dispatch({ kind: 'notice-dismissed' });
    const { values, lines, orderLines } = toPay;
    const whole = totalOf(values, { ...rules, ...toPay.amounts });
    if (whole === null) throw new Error('The form changed while it was sent.');
    const total: Total = takes === null ? whole : { ...whole, decimal: decimalText(takes.takenMinor, currency) };
    const customerId = payer.payer?.customer.customerId;
    try {
      const recorded = await tender.record({
        mode: tenderMode,
        values,
        total,
        currency,
        cashDue: cashDue(toMinor(Number(total.decimal), currency)),
        merchantId,
        customerId,
        lines,
        orderLines,
        giftCard: card,
      });
      dispatch({ kind: 'tender-recorded', tender: recorded });
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      dispatch({ kind: 'charge-answered', result: readFailure(failure), charge: { amount: total.decimal, currency, methodLabel: '' } });
      giftCard.paymentFailed(failure);
    }
  };

  /** Reads the form and sends it. */
  const sendForm = async (chargeMode: ChargeMode, repeatOf: PendingCharge | undefined) => {
    const sellsGiftCards = basket.giftCards().length > 0;
    const toPay = await sale.toPay(amountRules(), false);
    if (toPay === null) return dispatch({ kind: 'notice-dismissed' });
    const { values, lines: lineItems, orderLines } = toPay;
    const { entry, accountType, accountHolder, isCardSaved } = currentState.current;
    const type = sellsGiftCards ? 'sale' : currentState.current.type;
    const saleCustomer = await customerOfSale(values, isCardSaved);
    if (saleCustomer === undefined) return;
    const choices = {
      type,
      mode: chargeMode,
      entry,
      accountType,
      accountHolder,
      channel,
      merchantId,
      currency,
      country,
      surchargePercent,
      ...(mode === 'reader' && readers.reader && { terminalId: readers.reader.terminalId }),
      takesPart: mode === 'card' || mode === 'reader' || (mode === 'saved' && payer.payer?.chosen?.type === 'card'),
      ...saleCustomer,
    };
    const request = saleRequest(values, { ...choices, ...toPay.amounts, lineItems, ...(orderLines && { orderLines }) }, new Date());
    if (request === null) throw new Error('The form changed while it was sent.');
    const chosen = mode === 'saved' ? payer.payer?.chosen : null;
    const named = mode === 'reader' ? readers.reader?.name : chosen && methodText(chosen);
    const methodLabel = methodLabelOf(request, form.brand?.name ?? null, named ?? undefined);
    const method = { methodLabel, last4: lastFourOf(request, chosen), repeatOf };
    const outcome = await withDiscount(() => send({ ...request, ...discountField() }, method), merchantId);
    if (outcome.kind === 'duplicate') dispatch({ kind: 'charge-duplicates', earlier: outcome.earlier, charge: outcome.charge });
    else {
      if (mode === 'reader' && outcome.result.kind === 'pending') readers.remember();
      dispatch({ kind: 'charge-answered', result: outcome.result, charge: outcome.charge });
    }
  };

  /** Returns the customer of the sale and the consent to save the card; undefined if the customer could not be created. */
  const customerOfSale = async (values: SaleValues, isCardSaved: boolean) => {
    const saveConsent = payer.consent?.trim();
    const customerId = payer.payer?.customer.customerId;
    if (!isCardSaved || !saveConsent) return customerId === undefined ? {} : { customerId };
    try {
      return { customerId: await payer.findOrCreateCustomer(values, merchantId), saveConsent };
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : t('The customer could not be created.');
      dispatch({ kind: 'customer-not-created', message });
      return undefined;
    }
  };

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
        renewKey();
        tender.renewKey();
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
        (isTender(mode) ? recordTender(mode) : sendForm(mode, effect.repeatOf)).catch(() => dispatch({ kind: 'charge-unanswered' }));
    }
  };
  latest.current = { settings, run, values: form.values, fill: form.fill, basket, sale, giftCard };

  useLock(dispatch);
  const isUntouched = useCallback(() => Object.values(latest.current.values()).every((text) => text === ''), []);
  useReaderFirst(isFirst, isUntouched, dispatch);
  useRunningPayment({ readers, dispatch, isUntouched });
  usePrefill(prefill, form, dispatch, showDetails);
  const readyForEntry = useCallback(() => {
    const { kind } = currentState.current.stage;
    // At once, so that what follows belongs to the new sale: its first digit, or an item.
    if (kind === 'result' || kind === 'recorded') flushSync(() => dispatch({ kind: 'new-sale-requested' }));
    return currentState.current.stage.kind === 'entry';
  }, [dispatch]);
  /** Returns true unless an order is being paid, to which nothing can be added. */
  const isFree = useCallback(() => {
    if (!latest.current.sale?.order) return true;
    announce(t('Finish the split sale first.'));
    return false;
  }, []);
  const addItem = useCallback(
    (item: Item, thousandths: number) => {
      if (readyForEntry() && isFree()) latest.current.basket?.add(item, thousandths);
    },
    [readyForEntry, isFree],
  );
  const addAmount = useCallback(
    (minor: number, thousandths: number) => {
      if (readyForEntry() && isFree()) latest.current.basket?.addAmount(minor, thousandths);
    },
    [readyForEntry, isFree],
  );

  const addGiftCard = useCallback<Basket['addGiftCard']>(
    (...line) => {
      if (readyForEntry() && isFree()) latest.current.basket?.addGiftCard(...line);
    },
    [readyForEntry, isFree],
  );

  const { stage, type, accountType, accountHolder, isCardSaved } = state;
  return {
    settings,
    rules: { ...rules, surchargePercent, ...amountRules() },
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
      if (!settings.modes.includes('gift_card') || !readyForEntry()) return;
      dispatch({ kind: 'mode-chosen', mode: 'gift_card' });
      afterRender(() => {
        latest.current.fill({ giftCode: code });
        void latest.current.giftCard?.lookUp();
      });
    },
    sale,
    addItem,
    addAmount,
    addGiftCard,
    readyForEntry,
    areDetailsOpen,
    showDetails,
    isCardSaved,
    outage,
    enterGuard,
    actionRef,
    chargeRef,
    dispatch,
    charge,
    cashDue,
    next: () => {
      if (currentState.current.stage.kind === 'entry' && giftCard.lookUpFocused()) return;
      const next = form.next();
      if (next === null || (next === 'giftCode' && giftCard.found !== null)) charge();
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
