import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Invoice } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { cashFor, decimalText, toMinor, writeAmount, writeMoney } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';
import { focusField, PanelForm, SelectField, useAfterRender } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { securityCodeLength } from '#renderer/shared/card-entry';
import { CardFields, type CardForm, NO_STORAGE } from '#renderer/shared/card-form';
import { RoundingNote } from '#renderer/shared/tenders';
import { methodsQuery } from '../queries.ts';
import { methodWithExpiry, titleOf } from '../texts.ts';
import { type PrintAfter, RECORD_METHODS, type RecordMethod, useRecording } from './use-recording.ts';

interface RecordPanelProps {
  readonly invoice: Invoice;
  readonly onClose: () => void;
  readonly onPrintInvoice: () => void;
}

/** Fields that get the focus after the choice of a payment method. */
const FIRST_FIELDS: Readonly<Partial<Record<RecordMethod, string>>> = {
  check: 'record-check',
  card: 'invoice-card-number',
  token: 'record-method',
  other: 'record-reference',
};

/** Takes a payment at the counter: records one, or charges a card. */
export function RecordPanel({ invoice, onClose, onPrintInvoice }: RecordPanelProps) {
  const canSeeMethods = useMay()('customers:read') && invoice.customerId !== null;
  const methods = useQuery({ ...methodsQuery(invoice.customerId ?? ''), enabled: canSeeMethods });
  const recording = useRecording({ invoice, methods: methods.data, onClose, onPrintInvoice });
  const { form, set, amount, card, declined, failure } = recording;
  const afterRender = useAfterRender();
  const panel = useRef<HTMLDivElement>(null);
  const amountInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    amountInput.current?.focus();
    amountInput.current?.select();
  }, []);
  const { method } = form;
  // The height of the panel depends on the payment method.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the payment method.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [method]);
  const chooseMethod = (next: RecordMethod) => {
    set({ method: next });
    afterRender(() => focusField(FIRST_FIELDS[next] ?? ''));
  };
  const isManual = form.method === 'cash' || form.method === 'check';
  const hasSavedMethods = methods.data !== undefined && methods.data.length > 0;
  return (
    <Box ref={panel} sx={{ scrollMarginBlock: 16 }}>
      <PanelForm
        title={t('Record payment')}
        explanation={explanationOf(invoice, form.method)}
        submitLabel={submitLabel(invoice, chargedAmount(recording, invoice.currency), form.method, form.after)}
        isBusy={recording.isBusy}
        failure={failure}
        onSubmit={recording.submit}
        onClose={onClose}
      >
        {declined && (
          <Alert severity="error" role="alert">
            <Trans
              i18nKey="<0>Declined.</0> {{reason}} Nothing was charged; try another payment method."
              components={[<strong key="0" />]}
              values={{ reason: declined }}
            />
          </Alert>
        )}
        <Box>
          <TextField
            id="record-amount"
            label={t('Amount, {{currency}}', { currency: invoice.currency })}
            value={amount.text}
            inputRef={amountInput}
            onChange={({ target }) => recording.setAmount(target.value)}
            error={amount.problem !== undefined}
            helperText={amount.problem}
            slotProps={{
              htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end', fontWeight: 600 } },
            }}
          />
          {amount.maximum !== undefined && (
            <Button size="small" onClick={() => recording.setAmount(amount.maximum ?? '')} sx={{ mt: 2 }}>
              {t('Use {{amount}}', { amount: writeAmount(amount.maximum, invoice.currency) })}
            </Button>
          )}
        </Box>
        <ChoiceButtons
          label={t('Payment method')}
          options={RECORD_METHODS.filter(({ id }) => id !== 'token' || hasSavedMethods).map(({ id, name }) => [id, name] as const)}
          value={method}
          onChange={chooseMethod}
          sx={{ flexWrap: 'wrap' }}
        />
        {form.method === 'cash' && amount.decimal !== undefined && <RoundedCash amount={amount.decimal} invoice={invoice} />}
        {form.method === 'check' && (
          <TextField
            id="record-check"
            label={t('Check number')}
            value={form.reference}
            onChange={({ target }) => set({ reference: target.value })}
            error={recording.referenceProblem !== undefined}
            helperText={recording.referenceProblem}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
          />
        )}
        {form.method === 'other' && (
          <TextField
            id="record-reference"
            label={t('Reference (optional)')}
            placeholder={t('Bank transfer, store credit')}
            value={form.reference}
            onChange={({ target }) => set({ reference: target.value })}
            error={recording.referenceProblem !== undefined}
            helperText={recording.referenceProblem}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
          />
        )}
        {form.method === 'token' && (
          <SelectField
            id="record-method"
            label={t('Card on file')}
            value={recording.token}
            options={(methods.data ?? []).map(
              (method) =>
                [
                  method.token,
                  method.isDefault ? t('{{card}} (default)', { card: methodWithExpiry(method) }) : methodWithExpiry(method),
                ] as const,
            )}
            onChange={(value) => set({ token: value })}
          />
        )}
        {form.method === 'card' && (
          <CardFields id="invoice-card" form={card}>
            {recording.asksCode && <CodeField card={card} />}
          </CardFields>
        )}
        {(recording.surcharge ?? recording.surchargeRefusal) && (
          <Box role="status" sx={{ color: 'text.secondary', fontSize: 13 }}>
            {recording.surcharge === undefined
              ? t('No surcharge: {{reason}}', { reason: recording.surchargeRefusal ?? '' })
              : t('A surcharge of {{amount}} is charged in addition.', { amount: writeMoney(recording.surcharge, invoice.currency) })}
          </Box>
        )}
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: isManual ? '1fr 1fr' : '1fr' }, alignItems: 'start' }}>
          {isManual && (
            <SelectField
              id="record-print"
              label={t('Print after recording')}
              value={form.after}
              options={[
                ['nothing', t('Nothing')],
                ['receipt', t('Receipt')],
                ['invoice', t('Invoice')],
              ]}
              onChange={(value) => set({ after: value })}
            />
          )}
          <TextField
            id="record-note"
            label={t('Note (optional)')}
            value={form.note}
            onChange={({ target }) => set({ note: target.value })}
            error={recording.noteProblem !== undefined}
            helperText={recording.noteProblem}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
          />
        </Box>
      </PanelForm>
    </Box>
  );
}

/** Returns the amount with the surcharge, as decimal text. */
function chargedAmount({ decimal, surcharge }: { decimal: string | undefined; surcharge: string | undefined }, currency: string) {
  if (decimal === undefined || surcharge === undefined) return decimal;
  return decimalText(toMinor(Number(decimal), currency) + toMinor(Number(surcharge), currency), currency);
}

function explanationOf(invoice: Invoice, method: RecordMethod): string {
  const values = { invoice: titleOf(invoice) };
  if (method === 'card') return t('Charges the card now for {{invoice}}. You can swipe the card.', values);
  if (method === 'token') return t('Charges the card on file now for {{invoice}}.', values);
  return t('Records a payment that you received for {{invoice}}. Nothing is charged.', values);
}

function submitLabel({ currency }: Invoice, decimal: string | undefined, method: RecordMethod, after: PrintAfter): string {
  const isCharge = method === 'card' || method === 'token';
  const prints = method !== 'other' && after !== 'nothing';
  if (decimal === undefined) {
    if (isCharge) return t('Charge payment');
    return prints ? t('Record payment and print') : t('Record payment');
  }
  const amount = writeMoney(decimal, currency);
  if (isCharge) return t('Charge {{amount}}', { amount });
  return prints ? t('Record {{amount}} and print', { amount }) : t('Record {{amount}}', { amount });
}

/** Names the cash to take for an amount that is rounded to the smallest coin. */
function RoundedCash({ amount, invoice: { currency, payments } }: { readonly amount: string; readonly invoice: Invoice }) {
  const { cashRounding } = useMerchant().vtSettings;
  const exact = toMinor(Number(amount), currency);
  const due = cashFor(exact, currency, cashRounding, payments);
  return <RoundingNote roundingMinor={due - exact} dueMinor={due} currency={currency} />;
}

/** Security code of the card, hidden while it has no focus. */
function CodeField({ card }: { card: CardForm }) {
  const digits = securityCodeLength(card.brand);
  return (
    <TextField
      id="invoice-card-code"
      label={t('CVV, {{digits}} digits', { digits })}
      {...card.bind('last')}
      slotProps={{ htmlInput: { ...NO_STORAGE, inputMode: 'numeric', maxLength: digits } }}
      sx={{ '& input:not(:focus)': { WebkitTextSecurity: 'disc' } }}
    />
  );
}
