import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ListSubheader from '@mui/material/ListSubheader';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import type { SimulatedReader as ReaderScreen } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { FailureNote } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { actAtReader, cardReadersQuery, openReader, simulatedReaderQuery, TEST_CARDS } from '#renderer/shared/card-readers';
import type { ReaderAction } from '#shared/terminals';

const NOTES = {
  wrong_pin: t('Wrong PIN. Try again.'),
  card_unreadable: t('The card cannot be read. Try another way.'),
  card_removed: t('Card removed too early. Present it again.'),
  no_network: t('No network. Present the card again.'),
  tip_too_high: t('This tip is too high. Choose another one.'),
} as const;

const CANCELED = {
  customer: t('Canceled'),
  clerk: t('Canceled by the till'),
  timeout: t('No card presented in time'),
} as const;

/** Ways to present a card; the first button is that of most customers. */
const PRESENT: readonly (readonly [ReaderAction, string])[] = [
  ['contactless', t('Tap')],
  ['chip', t('Insert chip')],
  ['swipe', t('Swipe')],
];
const OTHER: readonly (readonly [ReaderAction, string])[] = [
  ['phone', t('Pay by phone')],
  ['chip_signature', t('Chip with signature')],
  ['keyed', t('Key the card')],
  ['unreadable', t('Unreadable card')],
  ['chip_refuses', t('Chip refuses')],
  ['part', t('Approve a part')],
  ['other_amount', t('Other amount')],
  ['wrong_pin', t('Enter wrong PIN')],
  ['remove_card', t('Remove card too early')],
  ['time_out', t('Walk away')],
  ['unplug_after_approval', t('Unplug after the approval')],
];

/** A simulated card reader, beside the screen that sells: shows what a customer sees, and has a button for everything that a customer does. */
export function SimulatedReader({ terminalId }: { terminalId: string }) {
  const { merchantId } = useMerchant();
  const cache = useQueryClient();
  const readers = useQuery(cardReadersQuery(merchantId));
  const screen = useQuery(simulatedReaderQuery(terminalId));
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [card, setCard] = useState('4111111111111111');
  const act = useMutation({
    mutationFn: (action: ReaderAction | { readonly tipAmount: number }) =>
      actAtReader(terminalId, typeof action === 'string' ? { action, cardNumber: card } : { action: 'tip', ...action }),
    onSuccess: (shown) => cache.setQueryData(simulatedReaderQuery(terminalId).queryKey, shown),
  });
  const reader = readers.data?.find((each) => each.terminalId === terminalId);
  const failure = act.error ?? screen.error;
  const isWaiting = screen.data?.dialog?.state === 'waiting' && screen.data.isPlugged;
  const { tipChoices = null, currency = '' } = (isWaiting && screen.data?.dialog) || {};
  const button = (action: ReaderAction, label: string, needsCard = true, variant: 'outlined' | 'text' = 'outlined') => (
    <Button
      key={action}
      size="small"
      variant={variant}
      disabled={(needsCard && !isWaiting) || act.isPending}
      onClick={() => act.mutate(action)}
      {...(action === 'cancel' && { color: 'error' as const })}
    >
      {label}
    </Button>
  );
  return (
    <Box
      component="section"
      aria-label={t('Simulated card reader')}
      data-simulated-reader
      sx={(theme) => ({
        position: 'fixed',
        // Above the dialog that waits for it.
        zIndex: theme.zIndex.modal + 1,
        insetInlineEnd: 16,
        // Beside the ticket of the Sell screen, which shows the payment.
        '@media (min-width: 800px)': { insetInlineEnd: 436 },
        bottom: 16,
        width: 296,
        maxHeight: { xs: '60%', sm: 'calc(100% - 84px)' },
        overflow: 'auto',
        display: 'grid',
        gap: 3,
        p: 3,
        borderRadius: 2,
        border: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
        boxShadow: '0 8px 28px rgb(0 0 0 / 28%)',
        '@media print': { display: 'none' },
      })}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box
          component="h2"
          sx={{ m: 0, flex: 1, minWidth: 0, fontSize: 13, lineHeight: '20px', fontWeight: 600, overflowWrap: 'anywhere' }}
        >
          {reader?.name ?? t('Simulated card reader')}
        </Box>
        <IconButton size="small" aria-label={t('Close the simulated card reader')} onClick={() => openReader(null)}>
          <X size={16} aria-hidden />
        </IconButton>
      </Box>
      <Display screen={screen.data} />
      {tipChoices && (
        <Box role="group" aria-label={t('Choose a tip')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {tipChoices.map((tip) => (
            <Button
              key={tip}
              size="small"
              variant="outlined"
              disabled={act.isPending}
              onClick={() => act.mutate({ tipAmount: Number(tip) })}
            >
              {writeMoney(tip, currency)}
            </Button>
          ))}
          {button('no_tip', t('No tip'))}
        </Box>
      )}
      <Box role="group" aria-label={t('Present the card')} sx={{ display: 'grid', gridTemplateColumns: 'repeat(3, 1fr)', gap: 1 }}>
        {PRESENT.map(([action, label]) => button(action, label))}
      </Box>
      <TextField select size="small" label={t('Test card')} value={card} onChange={({ target }) => setCard(target.value)}>
        {TEST_CARDS.flatMap(({ group, cards }) => [
          <ListSubheader key={group} role="presentation" sx={{ lineHeight: '28px', fontSize: 12, backgroundColor: 'background.paper' }}>
            {group}
          </ListSubheader>,
          ...cards.map(({ outcome, number }) => (
            <MenuItem key={number} value={number} dense>
              {outcome} …{number.slice(-4)}
            </MenuItem>
          )),
        ])}
      </TextField>
      <Box sx={{ display: 'flex', gap: 1 }}>
        {button('cancel', t('Cancel'))}
        <Button
          size="small"
          variant="text"
          aria-expanded={isMoreOpen}
          onClick={() => setMoreOpen(!isMoreOpen)}
          endIcon={isMoreOpen ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        >
          {t('What else can happen')}
        </Button>
      </Box>
      <Box hidden={!isMoreOpen} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, '&[hidden]': { display: 'none' } }}>
        {OTHER.map(([action, label]) => button(action, label))}
        {screen.data?.isPlugged && screen.data.isConnected ? (
          <>
            {button('unplug', t('Unplug'), false)}
            {button('disconnect', t('Cut the network'), false)}
          </>
        ) : (
          button('connect', t('Connect', { context: 'reader' }), false)
        )}
      </Box>
      {failure && <FailureNote failure={failure} />}
    </Box>
  );
}

/** Display of the reader. It looks the same in both color schemes, as a device does. */
function Display({ screen }: { screen: ReaderScreen | undefined }) {
  const { title, detail, amount } = displayOf(screen);
  return (
    <Box
      role="status"
      data-reader-display
      sx={{
        display: 'grid',
        alignContent: 'center',
        justifyItems: 'center',
        gap: 1,
        minHeight: 112,
        p: 3,
        borderRadius: 1,
        textAlign: 'center',
        color: '#FFFFFF',
        backgroundColor: '#14181F',
        border: '1px solid #3A424E',
      }}
    >
      {amount && <Box sx={{ fontSize: 26, lineHeight: '32px', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>{amount}</Box>}
      <Box sx={{ fontSize: 15, fontWeight: 550 }}>{title}</Box>
      {detail && <Box sx={{ fontSize: 13 }}>{detail}</Box>}
    </Box>
  );
}

function waitingTitle({ tipChoices, operation }: NonNullable<ReaderScreen['dialog']>): string {
  if (tipChoices) return t('Add a tip?');
  if (operation === 'verification') return t('Save your card: tap, insert or swipe');
  return operation === 'credit' ? t('Refund: tap, insert or swipe') : t('Tap, insert or swipe');
}

interface Shown {
  readonly title: string;
  readonly detail?: string;
  readonly amount?: string;
}

function displayOf(screen: ReaderScreen | undefined): Shown {
  if (screen === undefined) return { title: '' };
  if (!screen.isPlugged) return { title: t('No power') };
  const offline = screen.isConnected ? {} : { detail: t('No network') };
  const { dialog } = screen;
  if (dialog === null) return { title: t('Ready'), ...offline };
  const amount = dialog.operation === 'verification' ? undefined : writeMoney(dialog.amount, dialog.currency);
  switch (dialog.state) {
    case 'waiting':
      return {
        amount,
        title: waitingTitle(dialog),
        ...offline,
        ...(dialog.note && { detail: NOTES[dialog.note] }),
      };
    case 'processing':
      return { amount, title: t('Processing…') };
    case 'canceled':
      return { title: dialog.canceledBy ? CANCELED[dialog.canceledBy] : t('Canceled'), ...offline };
    case 'decided':
      return { amount, title: dialog.isApproved ? t('Approved') : t('Declined'), ...offline };
    case 'failed':
      return { title: t('Not charged') };
    case 'lost':
      return { title: t('Ready'), detail: t('The result of the last payment was lost.') };
  }
}
