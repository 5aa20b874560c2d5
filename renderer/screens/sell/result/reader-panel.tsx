import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleHelp, HandCoins, LoaderCircle, type LucideIcon, Nfc } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { announce, CopyText, FailureNote, keyTip, MoneyText, useShortcuts } from '#renderer/kit/ui';
import { openReader, useMaySimulate, useOpenReader } from '#renderer/shared/card-readers';
import type { TerminalPaymentState } from '#shared/terminals';
import { unconfirmedChargeQuery } from '../charge/queries.ts';
import type { UnconfirmedCharge } from '../charge/unconfirmed-charges.ts';
import { cancelOnReader } from '../reader/cancel.ts';
import { runningTitle } from '../state/texts.ts';
import { Fact, Facts, OutcomeHeader } from './outcome-header.tsx';

interface ReaderPanelProps {
  readonly unconfirmed: UnconfirmedCharge;
  readonly reader: NonNullable<UnconfirmedCharge['reader']>;
  readonly onNextCustomer: () => void;
}

const CANCEL_KEYS = 'Escape';
const ICONS: Partial<Record<TerminalPaymentState, LucideIcon>> = { choosing_tip: HandCoins, processing: LoaderCircle };

/** Shows a payment while the customer pays on the card reader: what happens there, and how to end it. */
export function ReaderPanel({ unconfirmed, reader, onNextCustomer }: ReaderPanelProps) {
  const { transactionId, amount, currency } = unconfirmed;
  const panel = useRef<HTMLDivElement>(null);
  const { data } = useQuery(unconfirmedChargeQuery(transactionId));
  const state = data?.terminal?.state ?? 'starting';
  const title = runningTitle(state, reader.name);
  const tip = Number(data?.terminal?.tipAmount ?? 0);
  const isSilent = state === 'unconfirmed';
  const cancel = useMutation({ mutationFn: () => cancelOnReader(transactionId) });
  const isCanceling = cancel.isPending || (cancel.isSuccess && !isSilent);
  const canSimulate = useMaySimulate();
  const isReaderOpen = useOpenReader(({ terminalId }) => terminalId === reader.terminalId);

  useEffect(() => panel.current?.focus(), []);
  useEffect(() => announce(title), [title]);
  useShortcuts(
    t('Sell'),
    isSilent || isCanceling ? [] : [{ keys: CANCEL_KEYS, label: t('Cancel on the card reader'), run: () => cancel.mutate() }],
  );
  return (
    <Box
      ref={panel}
      tabIndex={-1}
      role="group"
      aria-labelledby="sale-result"
      data-result="on-reader"
      data-reader-state={state}
      sx={{ outline: 'none', display: 'flex', flexDirection: 'column', gap: 6, flex: 1 }}
    >
      <OutcomeHeader tone={isSilent ? 'warning' : 'neutral'} icon={isSilent ? CircleHelp : (ICONS[state] ?? Nfc)} title={title}>
        <MoneyText amount={Number(amount) + tip} currency={currency} code sx={{ fontSize: 36, lineHeight: '44px', fontWeight: 600 }} />
      </OutcomeHeader>
      <LinearProgress aria-label={t('Waiting for the card reader')} color={isSilent ? 'warning' : 'primary'} />
      <Facts>
        <Fact label={t('Card reader')} wide>
          {reader.name}
        </Fact>
        {data?.terminal?.tipAmount != null && (
          <Fact label={t('Tip')} wide>
            {tip > 0 ? <MoneyText amount={tip} currency={currency} code /> : t('No tip')}
          </Fact>
        )}
        <Fact label={t('Transaction ID')} wide>
          <CopyText text={transactionId} label={t('Transaction ID')} />
        </Fact>
      </Facts>
      {isSilent ? (
        <Box sx={{ color: 'text.secondary', maxWidth: 520 }}>
          {t(
            'Check the power and the network of the card reader. If it still shows the payment, the customer can go on. We’re asking the processor for the outcome; it appears here automatically.',
          )}{' '}
          <Link component={RouterLink} to="/unconfirmed-payments" underline="always">
            {t('View unconfirmed payments')}
          </Link>
        </Box>
      ) : (
        <Box sx={{ color: 'text.secondary', maxWidth: 520 }}>
          {isCanceling
            ? t('Canceling. If the bank has approved the payment already, it appears here as approved.')
            : t('The payment ends on the card reader when you cancel it or leave this screen.')}
        </Box>
      )}
      {cancel.error && <FailureNote failure={cancel.error} />}
      <Box sx={{ mt: 'auto', display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {isSilent ? (
          <Button size="large" onClick={onNextCustomer}>
            {t('Next customer')}
          </Button>
        ) : (
          <Button size="large" color="error" loading={isCanceling} onClick={() => cancel.mutate()} {...keyTip(CANCEL_KEYS)}>
            {t('Cancel payment')}
          </Button>
        )}
        {canSimulate && !isReaderOpen && (
          <Button size="large" variant="text" onClick={() => openReader(reader.terminalId)}>
            {t('Open simulated reader')}
          </Button>
        )}
      </Box>
    </Box>
  );
}
