import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Invoice } from '#renderer/client';
import { writeAmount, writeMoney } from '#renderer/money';
import { useMay } from '#renderer/session';
import { focusField, PanelForm, useAfterRender } from '#renderer/ui';
import { methodsQuery } from '../queries.ts';
import { methodWords, titleOf } from '../words.ts';
import { CardFields } from './card-fields.tsx';
import { MEANS, type Means, type PrintAfter, useRecording } from './use-recording.ts';

interface RecordPanelProps {
  readonly invoice: Invoice;
  readonly onClose: () => void;
  readonly onPrintInvoice: () => void;
}

/** Fields that get the focus after the choice of a payment method. */
const FIRST_FIELDS: Readonly<Partial<Record<Means, string>>> = {
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
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  const { means } = form;
  // Other means have other fields, and are as long as these make them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as the means change.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [means]);
  const choose = (next: Means) => {
    set({ means: next });
    afterRender(() => focusField(FIRST_FIELDS[next] ?? ''));
  };
  const isHandedOver = form.means === 'cash' || form.means === 'check';
  const hasFile = methods.data !== undefined && methods.data.length > 0;
  return (
    <Box ref={panel} sx={{ scrollMarginBlock: 16 }}>
      <PanelForm
        title="Record payment"
        explanation={explanationOf(invoice, form.means)}
        submitLabel={submitLabel(invoice, recording.decimal, form.means, form.after)}
        isBusy={recording.isBusy}
        failure={failure}
        onSubmit={recording.submit}
        onClose={onClose}
      >
        {declined && (
          <Alert severity="error" role="alert">
            <strong>Declined.</strong> {declined} Nothing was charged; try other means of payment.
          </Alert>
        )}
        <Box>
          <TextField
            id="record-amount"
            label={`Amount, ${invoice.currency}`}
            value={amount.text}
            inputRef={first}
            onChange={({ target }) => recording.setAmount(target.value)}
            error={amount.problem !== undefined}
            helperText={amount.problem}
            slotProps={{
              htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'right', fontWeight: 600 } },
            }}
          />
          {amount.most !== undefined && (
            <Button size="small" onClick={() => recording.setAmount(amount.most ?? '')} sx={{ mt: 2 }}>
              Use {writeAmount(amount.most, invoice.currency)}
            </Button>
          )}
        </Box>
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label="Paid by"
          value={means}
          onChange={(_, next: Means | null) => next && choose(next)}
          sx={{ flexWrap: 'wrap' }}
        >
          {MEANS.filter(({ id }) => id !== 'token' || hasFile).map(({ id, name }) => (
            <ToggleButton key={id} value={id}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        {form.means === 'check' && (
          <TextField
            id="record-check"
            label="Check number"
            value={form.reference}
            onChange={({ target }) => set({ reference: target.value })}
            error={recording.referenceProblem !== undefined}
            helperText={recording.referenceProblem}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
          />
        )}
        {form.means === 'other' && (
          <TextField
            id="record-reference"
            label="Reference, optional"
            placeholder="Bank transfer, store credit"
            value={form.reference}
            onChange={({ target }) => set({ reference: target.value })}
            error={recording.referenceProblem !== undefined}
            helperText={recording.referenceProblem}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
          />
        )}
        {form.means === 'token' && (
          <TextField
            id="record-method"
            select
            label="Card on file"
            value={recording.token}
            onChange={({ target }) => set({ token: target.value })}
          >
            {(methods.data ?? []).map((method) => (
              <MenuItem key={method.paymentMethodId} value={method.token}>
                {methodWords(method)}
                {method.isDefault && ' (default)'}
              </MenuItem>
            ))}
          </TextField>
        )}
        {form.means === 'card' && <CardFields entry={card} asksCode={recording.asksCode} />}
        <Box
          sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: isHandedOver ? '1fr 1fr' : '1fr' }, alignItems: 'start' }}
        >
          {isHandedOver && (
            <TextField
              id="record-print"
              select
              label="Then print"
              value={form.after}
              onChange={({ target }) => set({ after: target.value as PrintAfter })}
            >
              <MenuItem value="nothing">Nothing</MenuItem>
              <MenuItem value="receipt">A receipt</MenuItem>
              <MenuItem value="invoice">The invoice</MenuItem>
            </TextField>
          )}
          <TextField
            id="record-note"
            label="Note, optional"
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

function explanationOf(invoice: Invoice, means: Means): string {
  const what = titleOf(invoice);
  if (means === 'card') return `Charges the card now, on ${what}. Swiping fills the fields.`;
  if (means === 'token') return `Charges what the customer has on file now, on ${what}.`;
  return `Writes down what you were given for ${what}. Nothing is charged.`;
}

function submitLabel({ currency }: Invoice, decimal: string | undefined, means: Means, after: PrintAfter): string {
  const figure = decimal === undefined ? 'payment' : writeMoney(decimal, currency);
  if (means === 'card' || means === 'token') return `Charge ${figure}`;
  return means === 'other' || after === 'nothing' ? `Record ${figure}` : `Record ${figure} and print`;
}
