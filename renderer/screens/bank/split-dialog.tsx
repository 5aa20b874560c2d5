import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, BankLine, BankMatchBody } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, fromMinor, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { dayText, FormDialog, MoneyText, QueryContent } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { InvoiceChoice } from './invoice-choice.tsx';
import { PartRow } from './part-row.tsx';
import { openDepositsQuery, openPayoutsQuery } from './queries.ts';
import { depositId, depositText, KIND_NAMES } from './texts.ts';

interface SplitDialogProps {
  readonly line: BankLine;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly onMatch: (parts: BankMatchBody['parts']) => void;
  readonly onClose: () => void;
}

const OTHER_KINDS = ['fee', 'chargeback', 'own', 'ignore'] as const;

/** Splits a line between payouts, with the fees withheld from them, invoices, deposits and other explanations. */
export function SplitDialog({ line, isBusy, failure, onMatch, onClose }: SplitDialogProps) {
  const { currency } = line;
  const may = useMay();
  const isCredit = line.amount > 0;
  const payouts = useQuery({ ...openPayoutsQuery(line.merchantId, currency), enabled: isCredit });
  const deposits = useQuery(openDepositsQuery(line.merchantId, currency, !isCredit));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  /** Invoices with a field for their amount, in the order of their choice. */
  const [invoiceIds, setInvoiceIds] = useState<readonly string[]>([]);
  const [isChecked, setChecked] = useState(false);
  const change = (field: string, text: string) => setTexts((all) => ({ ...all, [field]: text }));
  const minorOf = (field: string) => {
    const reading = readAmount(texts[field] ?? '', currency);
    return reading.kind === 'valid' ? toMinor(Number(reading.decimal), currency) : 0;
  };
  const isWrong = (field: string) => (texts[field] ?? '').trim() !== '' && readAmount(texts[field] ?? '', currency).kind !== 'valid';
  const payoutIds = (payouts.data ?? []).map(({ payoutId }) => payoutId);
  const depositIds = (deposits.data ?? []).map(depositId);
  const fields = [...payoutIds, ...invoiceIds, ...depositIds, ...OTHER_KINDS];
  const total = Math.abs(toMinor(line.remaining, currency));
  const used = fields.reduce((sum, field) => sum + minorOf(field), 0);
  const isOver = used > total;
  const amountOf = (field: string) => decimalText(minorOf(field), currency);
  const submit = () => {
    setChecked(true);
    if (used === 0 || isOver || fields.some(isWrong)) return;
    const filled = (ids: readonly string[]) => ids.filter((id) => minorOf(id) > 0);
    onMatch([
      ...filled(payoutIds).map((payoutId) => ({
        kind: 'payout' as const,
        payoutId,
        amount: amountOf(payoutId),
        ...(minorOf(`${payoutId}/fee`) > 0 && { fee: amountOf(`${payoutId}/fee`) }),
      })),
      ...filled(invoiceIds).map((invoiceId) => ({ kind: 'invoice' as const, invoiceId, amount: amountOf(invoiceId) })),
      ...(deposits.data ?? []).flatMap((deposit): BankMatchBody['parts'] => {
        const { kind, shiftId, tenderId, refundId } = deposit;
        const amount = amountOf(depositId(deposit));
        if (minorOf(depositId(deposit)) === 0) return [];
        const subject = shiftId !== null ? { shiftId } : refundId !== null ? { refundId } : tenderId !== null ? { tenderId } : {};
        return [{ kind, ...subject, amount }];
      }),
      ...OTHER_KINDS.filter((kind) => minorOf(kind) > 0).map((kind) => ({ kind, amount: amountOf(kind) })),
    ]);
  };
  const field = (name: string, label: string, isFirst = false) => (
    <TextField
      id={`split-${name}`}
      label={label}
      size="small"
      autoFocus={isFirst}
      value={texts[name] ?? ''}
      onChange={({ target }) => change(name, target.value)}
      error={isWrong(name)}
      sx={{ width: 132 }}
      slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end' } } }}
    />
  );
  return (
    <FormDialog
      title={t('Split {{amount}}', { amount: writeMoney(Math.abs(line.remaining), currency) })}
      submitLabel={t('Match parts')}
      isBusy={isBusy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      more={
        <Box
          role="status"
          sx={{ order: -1, flex: 1, fontSize: 13, color: isOver || (isChecked && used === 0) ? 'error.main' : 'text.secondary' }}
        >
          {isOver
            ? t('The parts exceed the line by {{amount}}.', { amount: writeMoney(fromMinor(used - total, currency), currency) })
            : isChecked && used === 0
              ? t('Enter an amount for at least one part.')
              : t('Left: {{amount}}', { amount: writeMoney(fromMinor(total - used, currency), currency) })}
        </Box>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {isCredit && (
          <QueryContent
            query={payouts}
            isEmpty={(data) => data.length === 0}
            empty={<Box sx={{ fontSize: 13 }}>{t('No payout is without a bank line.')}</Box>}
          >
            {(data) =>
              data.map((payout, index) => (
                <PartRow
                  key={payout.payoutId}
                  name={<span className="mono">{payout.reference}</span>}
                  facts={
                    <>
                      {dayText(payout.day)}, <MoneyText amount={payout.remaining} currency={currency} code />
                      {payout.missing && `, ${t('missing at the bank')}`}
                    </>
                  }
                >
                  {field(payout.payoutId, t('Amount'), index === 0)}
                  {field(`${payout.payoutId}/fee`, t('Fee withheld'))}
                </PartRow>
              ))
            }
          </QueryContent>
        )}
        {isCredit && may('invoices:read') && (
          <InvoiceChoice
            line={line}
            hasFocus={payouts.data?.length === 0}
            onChoose={({ invoiceId, amountDue }) => {
              setInvoiceIds((ids) => (ids.includes(invoiceId) ? ids : [...ids, invoiceId]));
              change(invoiceId, decimalText(Math.min(Math.max(total - used, 0), toMinor(amountDue, currency)), currency));
            }}
          >
            {(invoiceId) => field(invoiceId, t('Amount'))}
          </InvoiceChoice>
        )}
        {(deposits.data ?? []).map((deposit) => {
          const id = depositId(deposit);
          return (
            <PartRow key={id} name={depositText(deposit)} facts={<MoneyText amount={deposit.remaining} currency={currency} code />}>
              {field(id, t('Amount'))}
            </PartRow>
          );
        })}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', rowGap: 2, columnGap: 1.5 }}>
          {OTHER_KINDS.map((kind, index) => (
            <Box key={kind}>{field(kind, KIND_NAMES[kind], !isCredit && index === 0)}</Box>
          ))}
        </Box>
      </Box>
    </FormDialog>
  );
}
