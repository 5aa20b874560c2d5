import { useState } from 'react';
import { type ApiFailure, type Invoice, type PaymentMethod, useMoneyMutation } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { announce, focusField } from '#renderer/ui';
import { containsCardNumber } from '#shared/card-numbers';
import { type PaymentBody, payInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { CHECKING, moneyOf } from '../words.ts';
import { type CardEntry, useCardEntry } from './use-card-entry.ts';
import { useCashReceipt } from './use-cash-receipt.ts';
import { type PartAmount, usePartAmount } from './use-part-amount.ts';

export const MEANS = [
  { id: 'cash', name: 'Cash' },
  { id: 'check', name: 'Check' },
  { id: 'token', name: 'On file' },
  { id: 'card', name: 'New card' },
  { id: 'other', name: 'Other' },
] as const;
/** Payment method of the recorded payment. */
export type Means = (typeof MEANS)[number]['id'];
export type PrintAfter = 'nothing' | 'receipt' | 'invoice';

interface RecordForm {
  readonly means: Means;
  readonly reference: string;
  readonly note: string;
  readonly token: string;
  readonly after: PrintAfter;
}

interface Recording {
  readonly form: RecordForm;
  readonly set: (part: Partial<RecordForm>) => void;
  readonly amount: PartAmount;
  readonly setAmount: (text: string) => void;
  readonly decimal: string | undefined;
  readonly card: CardEntry;
  readonly asksCode: boolean;
  /** Stored payment method to charge: the default unless another was chosen. */
  readonly token: string;
  readonly referenceProblem: string | undefined;
  readonly noteProblem: string | undefined;
  /** Reason why the last attempt was declined. */
  readonly declined: string | undefined;
  /** A refusal that is about none of the fields. */
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

const NO_CARD = 'This holds a card number. Take it out.';

/** State of a payment at the counter. Its idempotency key lives until the outcome is known. */
export function useRecording({ invoice, methods, onClose, onPrintInvoice }: RecordingOptions): Recording {
  const asksCode = useMerchant().vtSettings.requireCvv;
  const [form, setForm] = useState<RecordForm>({ means: 'cash', reference: '', note: '', token: '', after: 'nothing' });
  const [isChecked, setChecked] = useState(false);
  const [declined, setDeclined] = useState<string>();
  const atTheTill = useCashReceipt();
  const card = useCardEntry(asksCode, () => set({ means: 'card' }));
  const token = form.token || (methods?.find(({ isDefault }) => isDefault) ?? methods?.[0])?.token || '';

  // Without variables: they would keep the number in the mutation's record.
  const paying = useMoneyMutation(
    async (_: undefined, key) => {
      const body = bodyOf();
      return body && payInvoice(invoice.invoiceId, body, key);
    },
    {
      onSuccess: async (answer) => {
        if (!answer) return;
        card.clear(answer.kind === 'paid' ? undefined : ['code']);
        await refreshInvoices();
        if (answer.kind === 'declined') {
          setDeclined(/[.!?]$/.test(answer.declineReason) ? answer.declineReason : `${answer.declineReason}.`);
          announce(`Declined. ${answer.declineReason}`);
          return;
        }
        concluded(answer.invoice);
      },
      onError: async (refusal) => {
        if (refusal.code !== 'GATEWAY_TIMEOUT') {
          card.blame(refusal);
          return void refreshInvoices();
        }
        card.clear();
        announce(CHECKING);
        await refreshInvoices();
        onClose();
      },
    },
  );
  const amount = usePartAmount(invoice, paying.error);

  function bodyOf(): PaymentBody | undefined {
    const { means, reference, note } = form;
    if (amount.decimal === undefined) return undefined;
    const shared = { amount: amount.decimal, paymentMethod: means, ...(note.trim() && { note: note.trim() }) };
    if (means === 'token') return { ...shared, token };
    if (means !== 'card') return { ...shared, ...(reference.trim() && { reference: reference.trim() }) };
    const read = card.read();
    return read && { ...shared, card: read };
  }

  function concluded(after: Invoice) {
    const { means } = form;
    const paid = amount.decimal ?? '0';
    const left = after.status === 'paid' ? 'Nothing is left to pay.' : `${moneyOf(after.amountDue, after)} is left.`;
    announce(`${means === 'card' || means === 'token' ? 'Charged' : 'Recorded'} ${moneyOf(Number(paid), after)}. ${left}`);
    onClose();
    if (means !== 'cash' && means !== 'check') return;
    if (form.after === 'invoice') onPrintInvoice();
    const payment = after.payments.findLast((one) => one.method === means && one.amount === Number(paid));
    if (!payment) return;
    void atTheTill({ paymentId: payment.paymentId, isCash: means === 'cash', number: after.number }, form.after === 'receipt');
  }

  function set(part: Partial<RecordForm>) {
    setForm((now) => ({ ...now, ...part }));
    touched();
  }

  function touched() {
    setChecked(false);
    setDeclined(undefined);
    // While the outcome is open the same request goes again; any other word of the service is answered by the change.
    if (paying.error && !paying.error.isOpen) paying.reset();
  }

  const ownProblem = (text: string) => (isChecked && containsCardNumber(text) ? NO_CARD : undefined);
  const refusedAt = (field: string) => (paying.error?.field === field ? paying.error.message : undefined);
  const isCheckBare = form.means === 'check' && form.reference.trim() === '';
  const referenceProblem =
    ownProblem(form.reference) ?? (isChecked && isCheckBare ? 'Enter the number of the check.' : undefined) ?? refusedAt('reference');
  const noteProblem = ownProblem(form.note) ?? refusedAt('note');
  const isAtField =
    amount.problem !== undefined ||
    referenceProblem !== undefined ||
    noteProblem !== undefined ||
    Object.values(card.problems).some(Boolean);
  return {
    form,
    set,
    amount,
    setAmount: (text) => {
      amount.setText(text);
      touched();
    },
    decimal: amount.decimal,
    card,
    asksCode,
    token,
    referenceProblem,
    noteProblem,
    declined,
    failure: isAtField ? null : paying.error,
    isBusy: paying.isPending,
    submit: () => {
      if (paying.isPending) return;
      setChecked(true);
      setDeclined(undefined);
      if (!amount.check()) return focusField('record-amount');
      if (isCheckBare) return focusField('record-check');
      if ((form.means === 'other' || form.means === 'check') && containsCardNumber(form.reference)) return focusField('record-reference');
      if (containsCardNumber(form.note)) return focusField('record-note');
      if (form.means === 'card' && card.read() === undefined) return;
      paying.mutate(undefined);
    },
  };
}
