import { useState } from 'react';
import { type ApiFailure, type Invoice, type PaymentMethod, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, toMinor } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, focusField } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { digitsOf, securityCodeLength } from '#renderer/shared/card-entry';
import { type CardForm, useCardForm } from '#renderer/shared/card-form';
import { useSurcharge } from '#renderer/shared/surcharge';
import { usePrintTender } from '#renderer/shared/tenders';
import { containsCardNumber } from '#shared/card-numbers';
import { surchargeOn } from '#shared/surcharge';
import { type PaymentBody, payInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { CHECKING, moneyOf } from '../texts.ts';
import { type PartialAmount, usePartialAmount } from './use-partial-amount.ts';

export const RECORD_METHODS = [
  { id: 'cash', name: t('Cash') },
  { id: 'check', name: t('Check') },
  { id: 'token', name: t('Card on file') },
  { id: 'card', name: t('New card') },
  { id: 'other', name: t('Other') },
] as const;
/** Payment method of the recorded payment. */
export type RecordMethod = (typeof RECORD_METHODS)[number]['id'];
export type PrintAfter = 'nothing' | 'receipt' | 'invoice';

interface RecordForm {
  readonly method: RecordMethod;
  readonly reference: string;
  readonly note: string;
  readonly token: string;
  readonly after: PrintAfter;
}

interface Recording {
  readonly form: RecordForm;
  readonly set: (changed: Partial<RecordForm>) => void;
  readonly amount: PartialAmount;
  readonly setAmount: (text: string) => void;
  readonly decimal: string | undefined;
  readonly card: CardForm;
  /** Surcharge of the card, as decimal text; undefined without one. */
  readonly surcharge: string | undefined;
  /** Reason for no surcharge, in words. */
  readonly surchargeRefusal: string | null;
  readonly asksCode: boolean;
  /** Stored payment method to charge: the default unless another was chosen. */
  readonly token: string;
  readonly referenceProblem: string | undefined;
  readonly noteProblem: string | undefined;
  /** Reason why the last attempt was declined. */
  readonly declined: string | undefined;
  /** A refusal that is not about a field. */
  readonly failure: ApiFailure | null;
  readonly isBusy: boolean;
  readonly submit: () => void;
}

interface RecordingOptions {
  readonly invoice: Invoice;
  readonly methods: readonly PaymentMethod[] | undefined;
  readonly onClose: () => void;
  readonly onPrintInvoice: () => void;
}

const CARD_NUMBER_MESSAGE = t('This text contains a card number. Remove it.');

/** State of a payment at the counter. Its idempotency key lives until the outcome is known. */
export function useRecording({ invoice, methods, onClose, onPrintInvoice }: RecordingOptions): Recording {
  const asksCode = useMerchant().vtSettings.requireCvv;
  const [form, setForm] = useState<RecordForm>({ method: 'cash', reference: '', note: '', token: '', after: 'nothing' });
  const [isChecked, setChecked] = useState(false);
  const [declined, setDeclined] = useState<string>();
  const printTender = usePrintTender();
  const drawer = useWorkstation((settings) => settings.drawer);
  const card = useCardForm({
    lastName: 'card.cvv',
    asksLast: asksCode,
    problemOfLast: (text, brand) => {
      const digits = securityCodeLength(brand);
      return digitsOf(text).length === digits ? undefined : t('Enter the {{digits}}-digit CVV.', { digits });
    },
    formatLast: (text, brand) => digitsOf(text).slice(0, securityCodeLength(brand)),
    onSwiped: () => set({ method: 'card' }),
  });
  const token = form.token || (methods?.find(({ isDefault }) => isDefault) ?? methods?.[0])?.token || '';

  const { percent, refusal: surchargeRefusal } = useSurcharge(
    { firstDigits: card.firstDigits, token, zip: '', state: '' },
    form.method === 'token' ? 'saved' : form.method === 'card' ? 'card' : 'bank',
    false,
    false,
  );

  // The card is not passed as a variable, because the mutation cache would keep it.
  const payment = useMoneyMutation(
    async (_: undefined, key) => {
      const body = bodyOf();
      return body && payInvoice(invoice.invoiceId, body, key);
    },
    {
      onSuccess: async (response) => {
        if (!response) return;
        card.clear(response.kind === 'paid' ? undefined : ['last']);
        await refreshInvoices();
        if (response.kind === 'declined') {
          setDeclined(/[.!?]$/.test(response.declineReason) ? response.declineReason : `${response.declineReason}.`);
          announce(t('Declined. {{reason}}', { reason: response.declineReason }));
          return;
        }
        onPaid(response.invoice);
      },
      onError: async (refusal) => {
        if (refusal.code !== 'GATEWAY_TIMEOUT') {
          card.showRefusal(refusal);
          return void refreshInvoices();
        }
        card.clear();
        announce(CHECKING);
        await refreshInvoices();
        onClose();
      },
    },
  );
  const amount = usePartialAmount(invoice, payment.error);
  const { currency } = invoice;
  const surchargeMinor = amount.decimal === undefined ? 0 : surchargeOn(toMinor(Number(amount.decimal), currency), percent);
  const surcharge = surchargeMinor === 0 ? undefined : decimalText(surchargeMinor, currency);

  function bodyOf(): PaymentBody | undefined {
    const { method, reference, note } = form;
    if (amount.decimal === undefined) return undefined;
    const shared = { amount: amount.decimal, paymentMethod: method, ...(note.trim() && { note: note.trim() }) };
    const added = surcharge === undefined ? {} : { surchargeAmount: surcharge };
    if (method === 'token') return { ...shared, ...added, token };
    if (method !== 'card') return { ...shared, drawer, ...(reference.trim() && { reference: reference.trim() }) };
    const read = card.read();
    const cvv = read && digitsOf(read.last);
    return read && { ...shared, ...added, card: { ...read.card, ...(cvv && { cvv }) } };
  }

  function onPaid(after: Invoice) {
    const { method } = form;
    const paid = amount.decimal ?? '0';
    const values = { amount: moneyOf(Number(paid), after) };
    announce(
      [
        method === 'card' || method === 'token' ? t('Charged {{amount}}.', values) : t('Recorded {{amount}}.', values),
        after.status === 'paid' ? t('Paid in full.') : t('{{amount}} remaining.', { amount: moneyOf(after.amountDue, after) }),
      ].join(' '),
    );
    onClose();
    if (method !== 'cash' && method !== 'check') return;
    if (form.after === 'invoice') onPrintInvoice();
    const payment = after.payments.findLast((candidate) => candidate.method === method && candidate.amount === Number(paid));
    if (!payment) return;
    const { paymentId } = payment;
    void printTender(
      { subject: { payment: { paymentId } }, isCash: method === 'cash', reason: `Cash for ${after.number}` },
      form.after === 'receipt',
    );
  }

  function set(changed: Partial<RecordForm>) {
    setForm((now) => ({ ...now, ...changed }));
    resetResult();
  }

  function resetResult() {
    setChecked(false);
    setDeclined(undefined);
    // While the outcome is unknown, the same request is sent again. Any other refusal is cleared by the change.
    if (payment.error && !payment.error.isUnconfirmed) payment.reset();
  }

  const ownProblem = (text: string) => (isChecked && containsCardNumber(text) ? CARD_NUMBER_MESSAGE : undefined);
  const refusalOf = (field: string) => (payment.error?.field === field ? payment.error.message : undefined);
  const isCheckNumberMissing = form.method === 'check' && form.reference.trim() === '';
  const referenceProblem =
    ownProblem(form.reference) ?? (isChecked && isCheckNumberMissing ? t('Enter the check number.') : undefined) ?? refusalOf('reference');
  const noteProblem = ownProblem(form.note) ?? refusalOf('note');
  const isAtField = amount.problem !== undefined || referenceProblem !== undefined || noteProblem !== undefined || card.hasProblems;
  return {
    form,
    set,
    amount,
    setAmount: (text) => {
      amount.setText(text);
      resetResult();
    },
    decimal: amount.decimal,
    card,
    surcharge,
    surchargeRefusal,
    asksCode,
    token,
    referenceProblem,
    noteProblem,
    declined,
    failure: isAtField ? null : payment.error,
    isBusy: payment.isPending,
    submit: () => {
      if (payment.isPending) return;
      setChecked(true);
      setDeclined(undefined);
      if (!amount.check()) return focusField('record-amount');
      if (isCheckNumberMissing) return focusField('record-check');
      if ((form.method === 'other' || form.method === 'check') && containsCardNumber(form.reference)) return focusField('record-reference');
      if (containsCardNumber(form.note)) return focusField('record-note');
      if (form.method === 'card' && card.read() === undefined) return;
      payment.mutate(undefined);
    },
  };
}
