import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { api, type Dispute, queryClient, type Transaction, takeData } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { readAmount, writeMoney } from '#renderer/base/money';
import { PanelForm, SelectField, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { DISPUTE_REASONS, schemeOf } from '#shared/dispute-reasons';

interface DisputeFormProps {
  /** The disputed payment; without it, the form asks for its ID. */
  readonly transaction?: Transaction;
  readonly onOpened: (dispute: Dispute) => void;
  readonly onClose: () => void;
}

const STAGES = [
  ['chargeback', t('Chargeback: the money was taken back')],
  ['retrieval', t('Inquiry: the bank asks, no money moved')],
  ['prearbitration', t('Pre-arbitration')],
  ['arbitration', t('Arbitration')],
] as const;
type Stage = (typeof STAGES)[number][0];
const NO_REASON = 'none';
const EMPTY = { transactionId: '', amount: '', reasonCode: '', dueDate: '', processorCase: '', feeAmount: '' };

/** Records a dispute that the processor does not report, such as one from a letter of the acquirer. */
export function DisputeForm({ transaction, onOpened, onClose }: DisputeFormProps) {
  const merchant = useMerchant();
  const currency = transaction?.currency ?? merchant.currency;
  const [values, setValues] = useState(EMPTY);
  const [stage, setStage] = useState<Stage>('chargeback');
  const set = (name: keyof typeof EMPTY, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const opening = useSubmit({
    send: () => takeData(api.POST('/api/v1/disputes', { body: bodyOf(values, stage, currency, transaction) })),
    refresh: () => queryClient.invalidateQueries({ queryKey: ['disputes'] }),
    announcement: t('Dispute recorded.'),
    onDone: onOpened,
    onClose,
  });
  const textField = (name: keyof typeof EMPTY, label: string, more: { hint?: ReactNode; isFirst?: boolean; isMono?: boolean } = {}) => (
    <TextField
      id={`dispute-${name}`}
      label={label}
      value={values[name]}
      onChange={(event) => set(name, event.target.value)}
      helperText={more.hint}
      autoFocus={more.isFirst === true}
      slotProps={{ htmlInput: { autoComplete: 'off', ...(more.isMono && { className: 'mono' }) } }}
    />
  );
  return (
    <PanelForm
      {...opening}
      title={t('Record dispute')}
      explanation={t(
        'For disputes that your acquirer reports by letter or portal. The amount is withheld from the next settlement, unless it is an inquiry.',
      )}
      submitLabel={t('Record dispute')}
    >
      {transaction === undefined && textField('transactionId', t('Transaction ID'), { isFirst: true, isMono: true })}
      <SelectField
        id="dispute-stage"
        label={t('Stage')}
        value={stage}
        options={STAGES}
        onChange={setStage}
        autoFocus={transaction !== undefined}
      />
      {transaction === undefined ? (
        textField('reasonCode', t('Reason code (optional)'), { hint: t('For example 10.4 for Visa or 4853 for Mastercard.') })
      ) : (
        <ReasonField transaction={transaction} value={values.reasonCode} onChange={(code) => set('reasonCode', code)} />
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 4 }}>
        {textField('amount', t('Amount, {{currency}} (optional)', { currency }), {
          hint: transaction
            ? t('Without it, what was not refunded of {{amount}}.', {
                amount: writeMoney(transaction.capturedAmount, currency),
              })
            : undefined,
        })}
        {textField('feeAmount', t('Fee, {{currency}} (optional)', { currency }))}
        <DateField
          id="dispute-dueDate"
          label={t('Due date (optional)')}
          value={values.dueDate}
          onChange={(day) => set('dueDate', day)}
          helperText={t('Without it, in 14 days.')}
        />
        {textField('processorCase', t('Case number (optional)'))}
      </Box>
    </PanelForm>
  );
}

/** Reason codes of the scheme of a payment; a code in words for schemes without a table. */
function ReasonField({ transaction, value, onChange }: { transaction: Transaction; value: string; onChange: (code: string) => void }) {
  const scheme = schemeOf(transaction.card?.brand ?? null);
  const reasons = DISPUTE_REASONS.filter((reason) => reason.scheme === scheme);
  if (reasons.length === 0)
    return (
      <TextField id="dispute-reason" label={t('Reason code (optional)')} value={value} onChange={(event) => onChange(event.target.value)} />
    );
  return (
    <SelectField
      id="dispute-reason"
      label={t('Reason')}
      value={value === '' ? NO_REASON : value}
      options={[[NO_REASON, t('Not known yet')], ...reasons.map(({ code, name }) => [code, `${code} ${serviceText(name)}`] as const)]}
      onChange={(value) => onChange(value === NO_REASON ? '' : value)}
    />
  );
}

/** Returns the body of the request; empty fields are left out, and a text that is no amount is left to the service's refusal. */
function bodyOf(values: typeof EMPTY, stage: Stage, currency: string, transaction: Transaction | undefined) {
  const { transactionId, amount, feeAmount, ...others } = values;
  const decimal = (text: string) => {
    const reading = readAmount(text, currency);
    return reading.kind === 'valid' ? reading.decimal : text;
  };
  const texts = Object.entries(others).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()] as const]));
  return {
    transactionId: transaction?.transactionId ?? transactionId.trim(),
    stage,
    // Without a reason, the dispute is not taken for fraud.
    ...(values.reasonCode.trim() === '' && { reason: 'Not stated' }),
    ...(amount.trim() && { amount: decimal(amount.trim()) }),
    ...(feeAmount.trim() && { feeAmount: decimal(feeAmount.trim()) }),
    ...Object.fromEntries(texts),
  };
}
