import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { dayText, Entry, FailureNote, MoneyText, PanelForm, Section, useSubmit } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { chooseLateFees, reverseLateFee } from '../operations.ts';
import { lateFeesQuery, refreshInvoices } from '../queries.ts';
import { isOpen } from '../texts.ts';

const REASON_MAX = 500;

interface LateFeeSectionProps {
  readonly invoice: Invoice;
  readonly onPanelClosed: () => void;
}

/** Late fees of an invoice: charged ones, which can be reversed, and the next one. Nothing is shown while they are off. */
export function LateFeeSection({ invoice, onPanelClosed }: LateFeeSectionProps) {
  const { invoiceId, currency } = invoice;
  const canChange = useMay()('invoices:write') && isOpen(invoice);
  const found = useQuery(lateFeesQuery(invoiceId));
  const [reversed, setReversed] = useState<{ readonly lateFeeId: string; readonly amount: number }>();
  const choose = useMutation({ mutationFn: (enabled: boolean) => chooseLateFees(invoiceId, enabled), onSettled: () => refreshInvoices() });
  if (found.isLoadingError) return <FailureNote failure={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data || (found.data.charged.length === 0 && (found.data.state === 'off' || !isOpen(invoice)))) return null;
  const { state, isExempt, next, charged } = found.data;
  const texts: Readonly<Record<typeof state, string>> = {
    off: t('Late fees are switched off.'),
    scheduled: '',
    exempt: t('This invoice is charged no late fees.'),
    customer_exempt: t('This customer is charged no late fees.'),
    disputed: t('No late fees are charged: the invoice is disputed or paid in installments.'),
    promised: t('No late fee is charged until the promised day has passed.'),
    done: invoice.status === 'draft' ? t('Late fees follow after the invoice is sent.') : t('No further late fee is charged.'),
  };
  const nextText =
    next && t('{{amount}} {{currency}} on {{day}}', { amount: writeAmount(next.amount, currency), currency, day: dayText(next.day) });
  const close = () => {
    setReversed(undefined);
    onPanelClosed();
  };
  return (
    <Section title={t('Late fees')}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isOpen(invoice) && (
          <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {[texts[state], nextText && t('Next late fee: {{fee}}', { fee: nextText })].filter(Boolean).join(' ')}
          </Box>
        )}
        {canChange && state !== 'off' && (
          <Box>
            <Button size="small" onClick={() => choose.mutate(isExempt)} loading={choose.isPending}>
              {isExempt ? t('Allow late fees') : t('Exempt from late fees')}
            </Button>
          </Box>
        )}
        {choose.error && <FailureNote failure={choose.error} />}
        {charged.length > 0 && (
          <Box component="ol" aria-label={t('Charged late fees')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {charged.map(({ lateFeeId, day, amount, reversed: reversal }) => (
              <Entry key={lateFeeId}>
                <span>{dayText(day)}</span>
                <Box component="span" sx={{ textDecoration: reversal ? 'line-through' : undefined }}>
                  <MoneyText amount={amount} currency={currency} code />
                </Box>
                {reversal ? (
                  <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                    {t('Reversed by {{user}}: {{reason}}', { user: reversal.by, reason: reversal.reason })}
                  </Box>
                ) : (
                  canChange && (
                    <Button size="small" sx={{ marginInlineStart: 'auto' }} onClick={() => setReversed({ lateFeeId, amount })}>
                      {t('Reverse')}
                    </Button>
                  )
                )}
              </Entry>
            ))}
          </Box>
        )}
        {reversed && <ReversePanel key={reversed.lateFeeId} invoice={invoice} fee={reversed} onClose={close} />}
      </Box>
    </Section>
  );
}

interface ReversePanelProps {
  readonly invoice: Invoice;
  readonly fee: { readonly lateFeeId: string; readonly amount: number };
  readonly onClose: () => void;
}

function ReversePanel({ invoice: { invoiceId, currency }, fee, onClose }: ReversePanelProps) {
  const [reason, setReason] = useState('');
  const reverse = useSubmit({
    send: (_, key) => reverseLateFee(invoiceId, fee.lateFeeId, reason.trim(), key),
    refreshFirst: refreshInvoices,
    announcement: t('Late fee reversed.'),
    onClose,
  });
  const amount = `${writeAmount(fee.amount, currency)} ${currency}`;
  return (
    <PanelForm
      {...reverse}
      title={t('Reverse late fee')}
      explanation={t('The fee leaves the invoice. Its period is not charged again.')}
      submitLabel={t('Reverse {{amount}}', { amount })}
      onSubmit={() => reason.trim() !== '' && reverse.onSubmit()}
    >
      <TextField
        id="late-fee-reason"
        label={t('Reason')}
        required
        autoFocus
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}
