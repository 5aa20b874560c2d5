import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Settings2 } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { locale, t } from '#renderer/base/language';
import { announce, EmptyState, isDialogOpen, Screen, type Shortcut, useShortcuts } from '#renderer/kit/ui';
import { WorkstationDialog } from '#renderer/screens/workstation';
import { useToday } from '#renderer/session/tenant-clock';
import { useIsLocked, useMay, useMerchant } from '#renderer/session/user';
import { useWedge } from '#renderer/shared/card-entry';
import type { Surcharge } from '#renderer/shared/surcharge';
import { shortMethodLabel } from './customer/payment-method.ts';
import { DiscountBar } from './discount/discount-bar.tsx';
import type { SaleValues } from './form/form.ts';
import { prefillOf } from './form/prefill.ts';
import { type Total, totalOf } from './form/total.ts';
import { BasketLines } from './items/basket-lines.tsx';
import { recentSalesQuery } from './queries.ts';
import { READER_KEYS } from './reader/reader-fields.tsx';
import { ReaderPanel } from './reader/reader-panel.tsx';
import { CheckingPanel } from './result/checking-panel.tsx';
import { ResultPanel } from './result/result-panel.tsx';
import { SalePanel } from './sale-panel.tsx';
import { RecentSales, RunningTotal } from './side-panel.tsx';
import { TestGatewayNote } from './test-gateway-note.tsx';
import { UnconfirmedList } from './unconfirmed/unconfirmed-list.tsx';
import { type Terminal, useTerminal } from './use-terminal.ts';

const TYPE_NAMES = { sale: t('Sale'), auth: t('Authorization') } as const;
const LIST = new Intl.ListFormat(locale(), { type: 'conjunction' });
const MODE_NAMES = { reader: t('card reader'), card: t('card'), bank: t('bank account'), saved: t('card on file') } as const;

/** Wider fields are harder to scan. */
const WIDTH_MAX_PX = { md: 1168, xl: 1560 };

/**
 * The virtual terminal: a keyed or swiped sale and its result, in one place. Each merchant gets a form of its own.
 */
export function SellScreen() {
  const may = useMay();
  const { merchantId } = useMerchant();
  if (may('transactions:write')) return <TerminalScreen key={merchantId} />;
  return (
    <Screen title={t('Sell')}>
      <EmptyState title={t('Your role can’t take payments')}>{t('Ask an administrator for the permission transactions:write.')}</EmptyState>
    </Screen>
  );
}

function TerminalScreen() {
  const merchant = useMerchant();
  const [query] = useSearchParams();
  const link = query.toString();
  const prefill = useMemo(() => prefillOf(new URLSearchParams(link)), [link]);
  const terminal = useTerminal(prefill, query.get('customerId'));
  const recent = useQuery(recentSalesQuery(merchant.merchantId, useToday()));
  const [isSettingUp, setSettingUp] = useState(false);
  const { stage, form, type, mode, rules, dispatch } = terminal;

  const isLocked = useIsLocked();
  const newSale = () => dispatch({ kind: 'new-sale-requested' });
  useWedge({
    onSwipe: (card) =>
      terminal.outage
        ? announce(t('Cards can’t be charged during the outage. The card was not read.'))
        : dispatch({ kind: 'card-swiped', card, isLocked, isCovered: isDialogOpen() }),
    onBadRead: () => dispatch({ kind: 'card-misread', isLocked, isCovered: isDialogOpen() }),
  });
  useShortcuts(t('Sell'), [
    { keys: 'F4', label: t('Choose a customer'), run: () => dispatch({ kind: 'customer-field-requested' }) },
    ...readerKey(terminal),
  ]);
  useNewSaleOnReturn(dispatch, prefill);

  const current = stage.kind === 'result' ? stage.transaction : null;
  const total = totalOf(form, rules);
  return (
    <Box sx={{ maxWidth: WIDTH_MAX_PX }}>
      <Screen
        title={t('Sell')}
        actions={
          <Button variant="text" startIcon={<Settings2 size={16} aria-hidden />} onClick={() => setSettingUp(true)}>
            {t('This workstation')}
          </Button>
        }
      >
        <Box
          sx={(theme) => ({
            display: 'grid',
            gridTemplateColumns: {
              xs: 'minmax(0, 1fr)',
              md: 'minmax(0, 1fr) minmax(300px, 360px)',
              xl: 'minmax(0, 1fr) minmax(400px, 560px)',
            },
            border: `1px solid ${theme.vars.palette.divider}`,
            borderRadius: 1,
            backgroundColor: theme.vars.palette.background.paper,
          })}
        >
          <Box sx={{ p: { xs: 4, md: 6 }, minHeight: 492, display: 'flex', flexDirection: 'column' }}>
            <TestGatewayNote />
            {stage.kind === 'result' && (
              <ResultPanel
                transaction={stage.transaction}
                isCardSaved={terminal.isCardSaved}
                onChange={(transaction) => dispatch({ kind: 'result-updated', transaction })}
                onNewSale={newSale}
                guard={terminal.enterGuard}
              />
            )}
            {stage.kind === 'checking' &&
              (stage.unconfirmed.reader ? (
                <ReaderPanel
                  key={stage.unconfirmed.transactionId}
                  unconfirmed={stage.unconfirmed}
                  reader={stage.unconfirmed.reader}
                  onNextCustomer={() => dispatch({ kind: 'next-customer-requested' })}
                />
              ) : (
                <CheckingPanel unconfirmed={stage.unconfirmed} onNewSale={newSale} />
              ))}
            {stage.kind !== 'result' && (
              <Box hidden={stage.kind === 'checking'}>
                <SalePanel terminal={terminal} recent={recent.data?.items ?? []} />
              </Box>
            )}
          </Box>
          <Box
            component="aside"
            aria-label={t('Total and recent sales')}
            sx={(theme) => ({
              p: { xs: 4, md: 6 },
              display: 'flex',
              flexDirection: 'column',
              gap: 6,
              borderInlineStart: { md: `1px solid ${theme.vars.palette.divider}` },
              borderTop: { xs: `1px solid ${theme.vars.palette.divider}`, md: 0 },
            })}
          >
            <RunningTotal
              amount={
                current
                  ? String(current.amount)
                  : stage.kind === 'checking'
                    ? stage.unconfirmed.amount
                    : (total?.decimal ?? (rules.discount ? '' : form.amount))
              }
              currency={current?.currency ?? rules.currency}
              description={`${TYPE_NAMES[type]} · ${current ? shortMethodLabel(current) : (mode === 'card' && form.brand?.name) || MODE_NAMES[mode]}`}
              additions={stage.kind === 'entry' && total ? additionsText(total, terminal.surcharge) : undefined}
            />
            {current === null && stage.kind !== 'checking' && <DiscountBar terminal={terminal} />}
            {current === null && <BasketLines basket={terminal.basket} currency={rules.currency} frozen={stage.kind !== 'entry'} />}
            <UnconfirmedList
              watchedId={stage.kind === 'checking' ? stage.unconfirmed.transactionId : null}
              onConfirmed={(unconfirmed, transaction) => dispatch({ kind: 'charge-confirmed', unconfirmed, transaction })}
            />
            <RecentSales />
          </Box>
        </Box>
        {isSettingUp && <WorkstationDialog onClose={() => setSettingUp(false)} />}
      </Screen>
    </Box>
  );
}

/** Returns the key that changes between the card reader and a keyed card. */
function readerKey({ stage, mode, settings: { modes }, dispatch }: Terminal): Shortcut[] {
  if (stage.kind !== 'entry' || !modes.includes('reader') || !modes.includes('card')) return [];
  const other = mode === 'reader' ? 'card' : 'reader';
  const label = mode === 'reader' ? t('Key the card') : t('Use the card reader');
  return [{ keys: READER_KEYS, label, run: () => dispatch({ kind: 'mode-chosen', mode: other, byKey: true }) }];
}

/** Describes tax, tip and surcharge, or the reason for no surcharge; undefined if there is nothing to say. */
function additionsText({ tax, tip, surcharge }: Total, { percent, refusal }: Surcharge): string | undefined {
  const parts = [
    tax && t('tax {{amount}}', { amount: tax }),
    tip && t('tip {{amount}}', { amount: tip }),
    surcharge && t('surcharge {{amount}} ({{percent}}%)', { amount: surcharge, percent }),
  ].filter((part) => typeof part === 'string');
  const included = parts.length > 0 ? t('Includes {{parts}}.', { parts: LIST.format(parts) }) : '';
  return [included, refusal && t('No surcharge: {{reason}}', { reason: refusal })].filter(Boolean).join(' ') || undefined;
}

/** Starts a new sale when F2 or a link to this screen is used on this screen. The values of the link are filled in. */
function useNewSaleOnReturn(dispatch: Terminal['dispatch'], prefill: SaleValues): void {
  const { key } = useLocation();
  const seen = useRef(key);
  const latest = useRef(prefill);
  latest.current = prefill;
  // Before the next key: an effect that runs later would discard the first digit of the next amount.
  useLayoutEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    dispatch({ kind: 'new-sale-requested', values: latest.current });
  }, [key, dispatch]);
}
