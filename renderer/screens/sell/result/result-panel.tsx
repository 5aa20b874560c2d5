import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ban, CircleCheck } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { channelName } from '#renderer/base/channels';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { addressCheck, CopyText, codeCheck, FailureNote, fullTime, KeyHint, MoneyText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { verificationText } from '#renderer/shared/card-readers';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import type { EnterGuard } from '../charge/enter-guard.ts';
import { shortMethodLabel } from '../charge/payment-method.ts';
import { OrderNote, useNextLabel } from '../order/order-note.tsx';
import { Fact, Facts, OutcomeHeader } from './outcome-header.tsx';
import { useVoid } from './use-void.tsx';

interface ResultPanelProps {
  readonly transaction: Transaction;
  /** True if the card was saved for the customer with the sale. */
  readonly isCardSaved: boolean;
  readonly onChange: (transaction: Transaction) => void;
  readonly onNewSale: () => void;
  readonly guard: EnterGuard;
}

interface PanelKey {
  readonly key: string;
  readonly label: string;
  readonly act: () => void;
}

/** Shows the approved payment in place of the form, with buttons for receipts, a void and the next sale. */
export function ResultPanel({ transaction, isCardSaved, onChange, onNewSale, guard }: ResultPanelProps) {
  const nextLabel = useNextLabel(transaction.orderId);
  const panel = useRef<HTMLDivElement>(null);
  const print = usePrintReceipt();
  const may = useMay();
  const { timezone } = useMerchant();
  const letterKeys = useWorkstation((settings) => settings.letterKeys);
  const voiding = useVoid(transaction, onChange);
  const delivery = useReceiptDelivery(transaction);
  const isVoided = transaction.status === 'voided';
  const isKeyedCard = transaction.card !== null && transaction.terminal === null;
  const canVoid = !isVoided && transaction.settledAt === null && may('transactions:write');

  useEffect(() => panel.current?.focus(), []);

  const prints: PanelKey[] = [
    { key: 'P', label: t('Print customer copy'), act: () => void print({ transaction, copy: 'customer' }) },
    { key: 'M', label: t('Print merchant copy'), act: () => void print({ transaction, copy: 'merchant' }) },
  ];
  const sends = delivery.actions
    .filter(({ blockedReason }) => blockedReason === undefined)
    .map(({ keys: key, label, run: act }): PanelKey => ({ key, label, act }));
  const keys = [...prints, ...sends, ...(canVoid ? [{ key: 'V', label: t('Void', { context: 'verb' }), act: voiding.ask }] : [])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !panel.current?.contains(event.target as Node)) return;
    if (event.key === 'Enter' && (event.target === panel.current || isNewSale(event.target))) {
      event.preventDefault();
      guard.press(event, onNewSale);
      return;
    }
    const pressed = letterKeys ? keys.find(({ key }) => key === event.key.toUpperCase()) : undefined;
    if (!pressed || event.repeat) return;
    event.preventDefault();
    pressed.act();
  };

  return (
    <Box
      ref={panel}
      tabIndex={-1}
      role="group"
      aria-labelledby="sale-result"
      data-result={isVoided ? 'voided' : 'approved'}
      onKeyDown={onKeyDown}
      sx={{ outline: 'none', display: 'flex', flexDirection: 'column', gap: 6, flex: 1 }}
    >
      <OutcomeHeader tone={isVoided ? 'neutral' : 'success'} icon={isVoided ? Ban : CircleCheck} title={titleFor(transaction)}>
        <MoneyText
          amount={transaction.amount}
          currency={transaction.currency}
          code
          sx={{ fontSize: 36, lineHeight: '44px', fontWeight: 600 }}
        />
      </OutcomeHeader>
      <Facts>
        <Fact label={t('Paid with')}>{shortMethodLabel(transaction)}</Fact>
        {transaction.customerId !== null && (
          <Fact label={t('Customer')}>
            {[transaction.customer?.name ?? transaction.customer?.email, isCardSaved && t('card saved')].filter(Boolean).join('; ')}
          </Fact>
        )}
        <Fact label={t('Authorization code')}>
          <span className="mono">{transaction.authCode ?? '–'}</span>
        </Fact>
        {transaction.terminal && <ReaderFacts terminal={transaction.terminal} channel={transaction.channel} />}
        {transaction.surchargeAmount > 0 && (
          <Fact label={t('Surcharge')}>
            <MoneyText amount={transaction.surchargeAmount} currency={transaction.currency} code />
          </Fact>
        )}
        {transaction.tipAmount > 0 && (
          <Fact label={t('Tip')}>
            <MoneyText amount={transaction.tipAmount} currency={transaction.currency} code />
          </Fact>
        )}
        {isKeyedCard && <Fact label="CVV">{codeCheck(transaction.cvvResponse)}</Fact>}
        {isKeyedCard && <Fact label={t('Address')}>{addressCheck(transaction.avsResponse, transaction.billing)}</Fact>}
        <Fact label={t('Time')}>{fullTime(transaction.createdAt, timezone)}</Fact>
        <Fact label={t('Transaction ID')} wide>
          <CopyText text={transaction.transactionId} label={t('Transaction ID')} />
        </Fact>
      </Facts>
      <OrderNote orderId={transaction.orderId} payment={transaction} />
      {delivery.note}
      {voiding.failure && <FailureNote failure={voiding.failure} />}
      <Box role="group" aria-label={t('Receipt')} sx={{ display: 'grid', gap: 2, mt: 'auto' }}>
        {[prints, sends].map((row) => (
          <Box key={row[0]?.key ?? ''} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {row.map(({ key, label, act }) => (
              <Button key={key} onClick={act}>
                {label}
                {letterKeys && <Hint keys={key} />}
              </Button>
            ))}
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="contained" color="primary" size="large" onClick={onNewSale} data-new-sale sx={{ flex: 1 }}>
          {nextLabel}
          <Hint keys="Enter" />
        </Button>
        {canVoid && (
          <Button color="error" size="large" onClick={voiding.ask}>
            {t('Void', { context: 'verb' })}
            {letterKeys && <Hint keys="V" />}
          </Button>
        )}
      </Box>
      {voiding.dialog}
      {delivery.dialog}
    </Box>
  );
}

/** Entry mode, verification and chip application of the card, as the receipt states them. */
function ReaderFacts({ terminal, channel }: { terminal: NonNullable<Transaction['terminal']>; channel: Transaction['channel'] }) {
  const { name, applicationLabel, applicationId, verification } = terminal;
  return (
    <>
      <Fact label={t('Card reader')}>{[name, channelName(channel)].join(', ')}</Fact>
      {verification && <Fact label={t('Cardholder verification')}>{verificationText(verification)}</Fact>}
      {applicationLabel && <Fact label={t('Chip application')}>{`${applicationLabel} (${applicationId})`}</Fact>}
    </>
  );
}

function titleFor({ status, type }: Transaction): string {
  if (status === 'voided') return t('Voided');
  return type === 'auth' ? t('Authorized') : t('Approved');
}

function isNewSale(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('[data-new-sale]') !== null;
}

function Hint({ keys }: { keys: string }) {
  return (
    <Box component="span" sx={{ marginInlineStart: 2, display: 'inline-flex' }}>
      <KeyHint keys={keys} />
    </Box>
  );
}
