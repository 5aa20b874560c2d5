import type { RefObject } from 'react';
import { ApiFailure, type ConnectivityReport } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { cashFor, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { announce } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { readFailure } from '../charge/charge-result.ts';
import { lastFourOf, methodLabelOf } from '../charge/payment-method.ts';
import { saleRequest } from '../charge/request.ts';
import type { PendingCharge } from '../charge/unconfirmed-charges.ts';
import { useCharge } from '../charge/use-charge.ts';
import { useTender } from '../charge/use-tender.ts';
import type { PayerChoice } from '../customer/use-payer.ts';
import {
  type ChargeMode,
  isTender,
  type SaleField,
  type SaleRules,
  type SaleValues,
  type SellChannel,
  type TenderMode,
} from '../form/form.ts';
import { type Total, totalOf } from '../form/total.ts';
import type { SaleForm } from '../form/use-sale-form.ts';
import type { GiftCardPayment } from '../gift-card/use-gift-card.ts';
import type { Basket } from '../items/use-basket.ts';
import type { SplitSale } from '../order/use-split-sale.ts';
import type { ReaderChoice } from '../reader/use-card-readers.ts';
import type { TerminalEvent, TerminalState } from '../state/terminal-state.ts';

/** Sale on the screen, as its payment reads it. */
interface PaymentOptions {
  readonly state: RefObject<TerminalState>;
  readonly form: SaleForm;
  /** Returns the rules of the sale with its surcharge, tax and discount. */
  readonly rules: () => SaleRules;
  /** Returns the tax and the discount on the typed amount. */
  readonly amountRules: () => Pick<SaleRules, 'tax' | 'discount'>;
  readonly channel: SellChannel;
  readonly outage: ConnectivityReport | null;
  readonly basket: Basket;
  readonly payer: PayerChoice;
  readonly readers: ReaderChoice;
  readonly sale: SplitSale;
  readonly giftCard: GiftCardPayment;
  readonly dispatch: (event: TerminalEvent) => void;
}

interface Payment {
  /** Checks the form and requests the charge. */
  readonly charge: (repeatOf?: PendingCharge) => void;
  /** Reads the form and sends it, or records its tender. */
  readonly send: (repeatOf: PendingCharge | undefined) => void;
  /** Returns the cash to take for an amount, in minor units. */
  readonly cashDue: (minor: number) => number;
  /** Gives the next charge or tender a new idempotency key. */
  readonly renewKey: () => void;
}

/** Charges the sale on the screen, or records its tender. */
export function usePayment(options: PaymentOptions): Payment {
  const { state, form, rules, amountRules, channel, outage, basket, payer, readers, sale, giftCard, dispatch } = options;
  const { mode, currency, country, surchargePercent = 0 } = rules();
  const { merchantId, vtSettings } = useMerchant();
  const { send, renewKey } = useCharge();
  const tender = useTender();

  const charge = (repeatOf?: PendingCharge) => {
    // Marks the fields with a problem; during a charge the form stays unchanged.
    if (state.current.stage.kind !== 'entry') return;
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
    if (totalOf(form.values(), rules()) !== null || basket.discount === null) return null;
    form.setError('amount', t('The discount takes off the whole amount.'));
    return 'amount';
  };

  /** Returns the cash to take for an amount, in minor units. */
  const cashDue = (minor: number) => cashFor(minor, currency, vtSettings.cashRounding, sale.order?.payments);

  /** Marks the cash given if it is less than the total. */
  const problemOfGiven = (): SaleField | null => {
    const total = totalOf(form.values(), rules());
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
    const whole = totalOf(values, { ...rules(), ...toPay.amounts });
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
    const { entry, accountType, accountHolder, isCardSaved } = state.current;
    const type = sellsGiftCards ? 'sale' : state.current.type;
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
    const outcome = await send(request, method);
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

  return {
    charge,
    send: (repeatOf) => {
      (isTender(mode) ? recordTender(mode) : sendForm(mode, repeatOf)).catch(() => dispatch({ kind: 'charge-unanswered' }));
    },
    cashDue,
    renewKey: () => {
      renewKey();
      tender.renewKey();
    },
  };
}
