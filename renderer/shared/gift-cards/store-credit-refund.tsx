import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { api, queryClient, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';
import { announce, focusField, PanelForm, ReasonField, useAfterRender } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { CodeNote } from './code-note.tsx';
import { findGiftCard } from './queries.ts';

interface StoreCreditRefundProps {
  /** Payment, or order with all its payments, that is refunded. */
  readonly subject: { readonly paymentId: string } | { readonly orderId: string };
  readonly currency: string;
  /** Amount that can be refunded. */
  readonly maximum: number;
  /** Customer of the payment, whose store credit can get the money; null for none. */
  readonly customerId: string | null;
  readonly onClose: () => void;
}

type Target = 'credit' | 'new' | 'card';

/** Refunds a payment or an order to the store credit of its customer, to a new gift card, whose code is shown once, or to a card that the customer has. */
export function StoreCreditRefund({ subject, currency, maximum, customerId: payerId, onClose }: StoreCreditRefundProps) {
  const { merchantId } = useMerchant();
  const canLookUp = useMay()('gift-cards:read');
  const full = decimalText(toMinor(maximum, currency), currency);
  const [amount, setAmount] = useState(full);
  const [isPayerDeleted, setPayerDeleted] = useState(false);
  const customerId = isPayerDeleted ? null : payerId;
  const [target, setTarget] = useState<Target>(customerId === null ? 'new' : 'credit');
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isCodeMissing, setCodeMissing] = useState(false);
  // Only the fields have the code of a card.
  const code = useRef<HTMLInputElement>(null);
  const pin = useRef<HTMLInputElement>(null);
  const afterRender = useAfterRender();
  const read = readAmount(amount, currency);
  const limit = t('Up to {{amount}}', { amount: writeMoney(full, currency) });
  const isAbove = read.kind === 'valid' && toMinor(Number(read.decimal), currency) > toMinor(maximum, currency);
  const problem = read.kind === 'valid' ? (isAbove ? limit : null) : amountProblem(amount, currency);

  const refunding = useMoneyMutation(
    async (decimal: string, key) => {
      const typed = { code: code.current?.value ?? '', pin: pin.current?.value ?? '' };
      const to =
        target === 'card'
          ? { giftCardId: (await findGiftCard(merchantId, typed)).giftCardId }
          : target === 'credit' && customerId !== null
            ? { customerId }
            : {};
      const body = { ...subject, ...to, amount: decimal, ...(reason.trim() && { reason: reason.trim() }) };
      return takeData(api.POST('/api/v1/gift-cards/refund', { body, params: { header: { 'Idempotency-Key': key } } }));
    },
    {
      onSuccess: (refund) => {
        announce(t('Refunded {{amount}}.', { amount: writeMoney(refund.amount, currency) }));
        for (const name of ['gift-cards', 'orders', 'tenders', 'transactions', 'shifts', 'reports'])
          void queryClient.invalidateQueries({ queryKey: [name] });
        if (refund.giftCard.code === null) onClose();
      },
      onError: ({ code: problemCode }) => {
        if (problemCode !== 'CUSTOMER_NOT_FOUND') return;
        setPayerDeleted(true);
        setTarget('new');
      },
    },
  );
  const refunded = refunding.data;
  if (refunded !== undefined && refunded.giftCard.code !== null) {
    return (
      <Box sx={{ display: 'grid', gap: 3 }}>
        <CodeNote code={refunded.giftCard.code} amount={writeMoney(refunded.amount, currency)} />
        <Box sx={{ display: 'flex', gap: 2 }}>
          <Button
            variant="text"
            autoFocus
            onClick={() => {
              refunding.reset();
              onClose();
            }}
          >
            {t('Done')}
          </Button>
        </Box>
      </Box>
    );
  }
  const submit = () => {
    setChecked(true);
    if (problem !== null || read.kind !== 'valid') return focusField('credit-amount');
    const isMissing = target === 'card' && (code.current?.value ?? '').trim() === '';
    setCodeMissing(isMissing);
    if (isMissing) return focusField('credit-code');
    refunding.mutate(read.decimal);
  };
  const targets: readonly (readonly [Target, string])[] = [
    ...(customerId === null ? [] : [['credit', t('Store credit')] as const]),
    ['new', t('New gift card')],
    ...(canLookUp ? [['card', t('Gift card by code')] as const] : []),
  ];
  return (
    <PanelForm
      title={t('Refund to store credit')}
      explanation={t(
        'Nothing goes back to the card, the account or the drawer. The customer gets the amount on a gift card or as store credit.',
      )}
      submitLabel={t('Refund {{amount}} to store credit', { amount: writeMoney(read.kind === 'valid' ? read.decimal : full, currency) })}
      isDangerous
      isBusy={refunding.isPending}
      failure={refunding.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        id="credit-amount"
        label={t('Amount, {{currency}}', { currency })}
        value={amount}
        autoFocus
        onFocus={({ target: field }) => field.select()}
        onChange={({ target: field }) => setAmount(field.value)}
        error={isChecked && problem !== null}
        helperText={(isChecked && problem) || limit}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
      />
      <ChoiceButtons
        label={t('Refund to')}
        options={targets}
        value={target}
        onChange={(next) => {
          setTarget(next);
          if (next === 'card') afterRender(() => focusField('credit-code'));
        }}
        sx={{ flexWrap: 'wrap' }}
      />
      {target === 'card' && (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr) 120px' }}>
          <TextField
            id="credit-code"
            label={t('Code')}
            inputRef={code}
            error={isCodeMissing}
            helperText={isCodeMissing ? t('Enter the code of the card.') : undefined}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 120 } }}
          />
          <TextField
            label={t('PIN (optional)')}
            inputRef={pin}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 12 } }}
          />
        </Box>
      )}
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}
