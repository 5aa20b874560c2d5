import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { type ApiFailure, type Customer, type Invoice, useMoneyMutation } from '#renderer/client';
import { writeAmount } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, focusField } from '#renderer/ui';
import type { Leave } from '../leave.ts';
import { changeInvoice, createInvoice, type InvoiceBody, sendInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { usePresent } from '../use-present.ts';
import { addDays, titleOf } from '../words.ts';
import { cellId, type EditorForm } from './editor-form.ts';
import { emptyLine, firstProblem, isBlank, itemsOf } from './lines.ts';

export interface EditorOptions {
  /** The draft to edit; undefined for a new invoice. */
  readonly invoice?: Invoice;
  readonly customer?: Customer;
  readonly onLeave: Leave;
}

type Wish = 'keep' | 'send';

interface EditorState {
  readonly form: EditorForm;
  readonly set: (part: Partial<EditorForm>) => void;
  readonly today: string;
  readonly currency: string;
  /** True if the form was validated since its last change. */
  readonly isChecked: boolean;
  readonly problems: Partial<Record<'customer' | 'dueDate' | 'lines', string>>;
  readonly failure: ApiFailure | null;
  readonly busy: Wish | undefined;
  readonly save: (wish: Wish) => void;
  /** Focuses the first missing value. Returns false if there is none. */
  readonly toFirstProblem: () => boolean;
  /** True while the person is leaving with unsaved changes. */
  readonly leaving: { readonly stay: () => void; readonly go: () => void } | undefined;
}

const DUE_IN_DAYS = 30;

/** State of the invoice editor. */
export function useEditor({ invoice, customer = undefined, onLeave }: EditorOptions): EditorState {
  const merchant = useMerchant();
  const currency = invoice?.currency ?? merchant.currency;
  const { today } = usePresent();
  const [start] = useState(() => formOf(invoice, customer, today));
  const [form, setForm] = useState(start);
  const [isChecked, setChecked] = useState(false);
  const [busy, setBusy] = useState<Wish>();
  const isDone = useRef(false);
  const isDirty = JSON.stringify(form) !== JSON.stringify(start);
  const saving = useMoneyMutation(
    async (body: InvoiceBody, key) => (invoice ? changeInvoice(invoice.invoiceId, body) : createInvoice(body, key)),
    { onError: () => setBusy(undefined) },
  );
  const blocker = useBlocker(() => isDirty && !isDone.current);
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);

  const missing = firstProblem(form.lines, currency);
  const hasLines = form.lines.some((line) => !isBlank(line));
  const dueProblem = form.dueDate === '' ? 'Enter the day on which it is due.' : form.dueDate < today ? 'That day is over.' : undefined;
  const refused = saving.error?.field;
  const said = (own: string | undefined, field: string) =>
    (isChecked ? own : undefined) ?? (refused === field || refused?.startsWith(`${field}.`) ? saving.error?.message : undefined);
  const problems = {
    customer: said(form.customer === null ? 'Choose a customer from the list, or make a new one.' : undefined, 'customerId'),
    dueDate: said(dueProblem, 'dueDate'),
    lines: said(hasLines ? undefined : 'Write one line at least.', 'items') ?? said(undefined, 'amount'),
  };

  const toFirstProblem = () => {
    const at = missing && form.lines[missing.row];
    const first = form.lines[0];
    const id =
      form.customer === null
        ? 'invoice-customer'
        : !hasLines
          ? first && cellId(first.id, 'description')
          : at
            ? cellId(at.id, missing.cell)
            : dueProblem !== undefined
              ? 'invoice-due'
              : undefined;
    if (id === undefined) return false;
    focusField(id);
    return true;
  };

  const finish = async (saved: Invoice, wish: Wish, to: Customer) => {
    isDone.current = true;
    if (wish === 'keep') {
      announce(`${titleOf(saved)} is saved as a draft.`);
      await refreshInvoices();
      return onLeave(saved.invoiceId);
    }
    const channel = to.email ? 'email' : to.phone ? 'sms' : undefined;
    const sent = channel && (await sendInvoice(saved.invoiceId, { sendVia: [channel] }).catch(() => undefined));
    await refreshInvoices();
    announce(
      sent ? `${titleOf(saved)} goes to ${to.email ?? to.phone}.` : `${titleOf(saved)} is saved as a draft. Say where it is to be sent.`,
    );
    onLeave(saved.invoiceId, sent ? {} : { panel: 'send' });
  };

  return {
    form,
    today,
    currency,
    isChecked,
    problems,
    failure: Object.values(problems).some(Boolean) ? null : saving.error,
    busy,
    toFirstProblem,
    set: (part) => {
      setForm((now) => ({ ...now, ...part }));
      setChecked(false);
      if (saving.error && !saving.error.isOpen) saving.reset();
    },
    save: (wish) => {
      if (busy !== undefined) return;
      setChecked(true);
      if (toFirstProblem() || form.customer === null) return;
      const { customer: to } = form;
      setBusy(wish);
      saving.mutate(
        {
          customerId: to.customerId,
          merchantId: merchant.merchantId,
          dueDate: form.dueDate,
          items: itemsOf(form.lines, currency),
          allowPartial: form.allowPartial,
          ...((form.note.trim() !== '' || invoice) && { note: form.note.trim() || null }),
        },
        { onSuccess: (saved) => void finish(saved, wish, to) },
      );
    },
    leaving: blocker.state === 'blocked' ? { stay: () => blocker.reset(), go: () => blocker.proceed() } : undefined,
  };
}

function formOf(invoice: Invoice | undefined, customer: Customer | undefined, today: string): EditorForm {
  if (!invoice) {
    return { customer: customer ?? null, dueDate: addDays(today, DUE_IN_DAYS), lines: [emptyLine(1)], note: '', allowPartial: false };
  }
  const { items, currency, dueDate, note, allowPartial, amount, description } = invoice;
  // A draft that was made with its amount alone is written on as one line.
  const given = items.length > 0 ? items : [{ description: description ?? '', quantity: 1, unitPrice: amount }];
  return {
    customer: customer ?? null,
    dueDate: dueDate ?? addDays(today, DUE_IN_DAYS),
    lines: given.map((item, at) => ({
      id: at + 1,
      description: item.description,
      quantity: String(item.quantity),
      unitPrice: writeAmount(item.unitPrice, currency),
    })),
    note: note ?? '',
    allowPartial,
  };
}

/** Describes the automatic recipients of an invoice. */
export function whereTo(customer: Customer | null): string | undefined {
  if (customer === null) return undefined;
  if (customer.email) return `It goes to ${customer.email} by e-mail.`;
  return customer.phone ? `It goes to ${customer.phone} by text.` : 'No e-mail or phone on file: you are asked where it goes.';
}
