import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ban, CircleCheck } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { channelName } from '#renderer/base/channels';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoreMenu, type RecordAction, useActionKeys } from '#renderer/kit/record';
import { addressCheck, CopyText, codeCheck, FailureNote, fullTime, keyTip, MoneyText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { verificationText } from '#renderer/shared/card-readers';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { ReceiptBar, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
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

/** Shows the approved payment in place of the form, with buttons for receipts, a void and the next sale. */
export function ResultPanel({ transaction, isCardSaved, onChange, onNewSale, guard }: ResultPanelProps) {
  const nextLabel = useNextLabel(transaction.orderId);
  const panel = useRef<HTMLDivElement>(null);
  const print = usePrintReceipt();
  const may = useMay();
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const voiding = useVoid(transaction, onChange);
  const delivery = useReceiptDelivery(transaction);
  const isVoided = transaction.status === 'voided';
  const isKeyedCard = transaction.card !== null && transaction.terminal === null;
  const canVoid = !isVoided && transaction.settledAt === null && may('transactions:write');

  useEffect(() => panel.current?.focus(), []);

  const more: RecordAction[] = [
    { keys: 'M', label: t('Print merchant copy'), run: () => void print({ transaction, copy: 'merchant' }) },
    { label: t('View transaction'), run: () => void navigate(`/transactions/${transaction.transactionId}`) },
    ...(canVoid ? [{ keys: 'V', label: t('Void', { context: 'verb' }), run: voiding.ask, isDangerous: true }] : []),
  ];
  useActionKeys(t('This sale'), more);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== panel.current && !isNewSale(event.target)) return;
    event.preventDefault();
    guard.press(event, onNewSale);
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
      <Box sx={{ mt: 'auto' }}>
        <ReceiptBar group={t('This sale')} actions={delivery.actions} onPrint={() => void print({ transaction, copy: 'customer' })} />
      </Box>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="contained" color="primary" size="large" onClick={onNewSale} {...keyTip('Enter')} data-new-sale sx={{ flex: 1 }}>
          {nextLabel}
        </Button>
        <MoreMenu actions={more} opensUp />
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
