import { useRef, useState } from 'react';
import { type ApiFailure, type Customer, type Invoice, useMoneyMutation } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, toMinor, writeAmount } from '#renderer/base/money';
import { announce, focusField } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import type { Leave } from '../navigation.ts';
import { changeInvoice, createInvoice, type InvoiceBody, sendInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { sentText, titleOf } from '../texts.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { cellId, type EditorForm } from './editor-form.ts';
import { emptyLine, firstProblem, isBlank, itemsOf, sumMinor } from './lines.ts';

export interface EditorOptions {
  /** The draft to edit; undefined for a new invoice. */
  readonly invoice?: Invoice;
  readonly customer?: Customer;
  readonly onLeave: Leave;
}

type SaveAction = 'keep' | 'send';

interface EditorState {
  readonly form: EditorForm;
  readonly set: (changed: Partial<EditorForm>) => void;
  readonly today: string;
  readonly currency: string;
  /** True if the form was validated since its last change. */
  readonly isChecked: boolean;
  readonly problems: Partial<Record<'customer' | 'dueDate' | 'lines' | 'tax' | 'purchaseOrder', string>>;
  readonly failure: ApiFailure | null;
  readonly busy: SaveAction | undefined;
  readonly save: (action: SaveAction) => void;
  /** Focuses the first missing value. Returns false if there is none. */
  readonly focusFirstProblem: () => boolean;
  /** Returns true while leaving would lose changes. */
  readonly hasChanges: () => boolean;
}

const DUE_IN_DAYS = 30;

/** State of the invoice editor. */
export function useEditor({ invoice, customer = undefined, onLeave }: EditorOptions): EditorState {
  const merchant = useMerchant();
  const currency = invoice?.currency ?? merchant.currency;
  const { today } = useCurrentTime();
  const [initialForm] = useState(() => formOf(invoice, customer, today));
  const [form, setForm] = useState(initialForm);
  const [isChecked, setChecked] = useState(false);
  const [busy, setBusy] = useState<SaveAction>();
  const isDone = useRef(false);
  const isDirty = JSON.stringify(form) !== JSON.stringify(initialForm);
  const saving = useMoneyMutation(
    async (body: InvoiceBody, key) => (invoice ? changeInvoice(invoice.invoiceId, body) : createInvoice(body, key)),
    { onError: () => setBusy(undefined) },
  );
  const lineProblem = firstProblem(form.lines, currency);
  const hasLines = form.lines.some((line) => !isBlank(line));
  const dueProblem = form.dueDate === '' ? t('Enter the due date.') : form.dueDate < today ? t('The due date is in the past.') : undefined;
  const taxProblem = problemOfTax(form, currency);
  const refused = saving.error?.field;
  const messageFor = (ownProblem: string | undefined, field: string) =>
    (isChecked ? ownProblem : undefined) ?? (refused === field || refused?.startsWith(`${field}.`) ? saving.error?.message : undefined);
  const problems = {
    customer: messageFor(form.customer === null ? t('Choose a customer from the list, or add a new one.') : undefined, 'customerId'),
    dueDate: messageFor(dueProblem, 'dueDate'),
    lines: messageFor(hasLines ? undefined : t('Add at least one line.'), 'items') ?? messageFor(undefined, 'amount'),
    tax: messageFor(taxProblem, 'taxAmount'),
    purchaseOrder: messageFor(undefined, 'purchaseOrderNumber'),
  };

  const focusFirstProblem = () => {
    const problemLine = lineProblem && form.lines[lineProblem.row];
    const first = form.lines[0];
    const id =
      form.customer === null
        ? 'invoice-customer'
        : !hasLines
          ? first && cellId(first.id, 'description')
          : problemLine
            ? cellId(problemLine.id, lineProblem.cell)
            : dueProblem !== undefined
              ? 'invoice-due'
              : taxProblem !== undefined
                ? 'invoice-tax'
                : undefined;
    if (id === undefined) return false;
    focusField(id);
    return true;
  };

  const finish = async (saved: Invoice, action: SaveAction, recipient: Customer) => {
    isDone.current = true;
    if (action === 'keep') {
      announce(t('{{invoice}} is saved as a draft.', { invoice: titleOf(saved) }));
      await refreshInvoices();
      return onLeave(saved.invoiceId);
    }
    const channel = recipient.email ? 'email' : recipient.phone ? 'sms' : undefined;
    const sent = channel && (await sendInvoice(saved.invoiceId, { sendVia: [channel] }).catch(() => undefined));
    await refreshInvoices();
    announce(
      sent
        ? sentText(sent, recipient.email || recipient.phone || '')
        : t('{{invoice}} is saved as a draft. Choose where to send it.', { invoice: titleOf(saved) }),
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
    focusFirstProblem,
    set: (changed) => {
      setForm((current) => ({ ...current, ...changed }));
      setChecked(false);
      if (saving.error && !saving.error.isUnconfirmed) saving.reset();
    },
    save: (action) => {
      if (busy !== undefined) return;
      setChecked(true);
      if (focusFirstProblem() || form.customer === null) return;
      const { customer: recipient } = form;
      setBusy(action);
      saving.mutate(
        {
          customerId: recipient.customerId,
          merchantId: merchant.merchantId,
          dueDate: form.dueDate,
          items: itemsOf(form.lines, currency),
          ...taxFields(form, invoice !== undefined, currency),
          allowPartial: form.allowPartial,
          collectShippingAddress: form.collectShippingAddress,
          ...((form.note.trim() !== '' || invoice) && { note: form.note.trim() || null }),
        },
        { onSuccess: (saved) => void finish(saved, action, recipient) },
      );
    },
    hasChanges: () => isDirty && !isDone.current,
  };
}

function formOf(invoice: Invoice | undefined, customer: Customer | undefined, today: string): EditorForm {
  if (!invoice) {
    return {
      customer: customer ?? null,
      dueDate: addDays(today, DUE_IN_DAYS),
      lines: [emptyLine(1)],
      tax: '',
      purchaseOrder: '',
      note: '',
      allowPartial: false,
      collectShippingAddress: false,
    };
  }
  const { items, currency, dueDate, taxAmount, purchaseOrderNumber, note, allowPartial, collectShippingAddress, amount, description } =
    invoice;
  // A draft that was created with only an amount is edited as one line.
  const initialItems = items.length > 0 ? items : [{ itemId: null, description: description ?? '', quantity: 1, unitPrice: amount }];
  return {
    customer: customer ?? null,
    dueDate: dueDate ?? addDays(today, DUE_IN_DAYS),
    lines: initialItems.map((item, index) => ({
      id: index + 1,
      ...(item.itemId !== null && { itemId: item.itemId }),
      description: item.description,
      quantity: String(item.quantity),
      unitPrice: writeAmount(item.unitPrice, currency),
    })),
    tax: taxAmount === 0 ? '' : writeAmount(taxAmount, currency),
    purchaseOrder: purchaseOrderNumber ?? '',
    note: note ?? '',
    allowPartial,
    collectShippingAddress,
  };
}

/** Returns the problem of the tax, which is a part of the amount; undefined without one. */
function problemOfTax({ tax, lines }: EditorForm, currency: string): string | undefined {
  const read = readAmount(tax, currency);
  if (read.kind === 'empty' || read.kind === 'zero') return undefined;
  if (read.kind !== 'valid') return amountProblem(tax, currency) ?? undefined;
  return toMinor(Number(read.decimal), currency) > sumMinor(lines, currency)
    ? t('The tax is more than the amount of the lines.')
    : undefined;
}

/** Returns tax and purchase order of the request; a draft keeps neither if its field was cleared. */
function taxFields({ tax, purchaseOrder }: EditorForm, isDraft: boolean, currency: string) {
  const read = readAmount(tax, currency);
  const order = purchaseOrder.trim();
  return {
    ...(read.kind === 'valid' ? { taxAmount: read.decimal } : isDraft && { taxAmount: '0' }),
    ...(order !== '' ? { purchaseOrderNumber: order } : isDraft && { purchaseOrderNumber: null }),
  };
}

/** Describes the automatic recipients of an invoice. */
export function recipientHint(customer: Customer | null): string | undefined {
  if (customer === null) return undefined;
  if (customer.email) return t('Will be sent to {{email}} by email.', { email: customer.email });
  return customer.phone
    ? t('Will be sent to {{phone}} by text message.', { phone: customer.phone })
    : t('No email or phone on file. You’ll be asked where to send it.');
}
