import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, EmptyState, focusField, isDialogOpen, isUnderOverlay, Screen, useShortcuts } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useIsLocked, useMay, useMerchant } from '#renderer/session/user';
import { useWedge } from '#renderer/shared/card-entry';
import { itemsQuery } from '#renderer/shared/items';
import { recentSalesQuery } from './charge/queries.ts';
import type { SaleValues } from './form/form.ts';
import { prefillOf } from './form/prefill.ts';
import { SellGiftCard } from './gift-card/sell-gift-card.tsx';
import { ItemGrid } from './items/item-grid.tsx';
import { Keypad } from './items/keypad.tsx';
import { type ItemFinder, useItemFinder } from './items/use-item-finder.ts';
import { WIDE, WIDER } from './layout.ts';
import { RecentSales } from './recent-sales.tsx';
import { CheckingPanel } from './result/checking-panel.tsx';
import { ReaderPanel } from './result/reader-panel.tsx';
import { ResultPanel } from './result/result-panel.tsx';
import { TenderResult } from './result/tender-result.tsx';
import { UnconfirmedList } from './result/unconfirmed-list.tsx';
import { SaleDetails } from './sale-details.tsx';
import { SellBar } from './sell-bar.tsx';
import { type Terminal, useTerminal } from './terminal/use-terminal.ts';
import { TICKET_SCROLLER, Ticket } from './ticket/ticket.tsx';

const FRAME = {
  display: 'grid',
  gridTemplate: '"bar" auto "ticket" auto "items" auto / minmax(0, 1fr)',
  [WIDE]: { height: '100%', gridTemplate: '"bar bar" auto "items ticket" minmax(0, 1fr) / minmax(0, 1fr) 360px' },
  [WIDER]: { gridTemplateColumns: 'minmax(0, 1fr) 420px' },
} as const;
const TICKET = {
  gridArea: 'ticket',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  minHeight: 0,
  backgroundColor: 'background.paper',
  borderColor: 'divider',
  borderStyle: 'solid',
  borderWidth: '0 0 1px',
  [WIDE]: { borderWidth: '0 0 0 1px' },
} as const;
const ITEMS = { gridArea: 'items', p: 4, minHeight: 0, overflowY: 'auto', display: 'flex', flexDirection: 'column', gap: 6 } as const;

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
  const { stage, form, dispatch } = terminal;
  const finder = useItemFinder(useOfferedItems(), terminal);

  const isLocked = useIsLocked();
  const newSale = () => dispatch({ kind: 'new-sale-requested' });
  useWedge({
    onSwipe: (card) =>
      terminal.outage
        ? announce(t('Cards can’t be charged during the outage. The card was not read.'))
        : dispatch({ kind: 'card-swiped', card, isLocked, isCovered: isDialogOpen() }),
    onBadRead: (stripe) =>
      stripe !== null && terminal.mode === 'gift_card' && !isLocked && !isDialogOpen()
        ? terminal.payWithGiftCard(stripe)
        : dispatch({ kind: 'card-misread', isLocked, isCovered: isDialogOpen() }),
  });
  useShortcuts(t('Sell'), [{ keys: 'F4', label: t('Choose a customer'), run: () => dispatch({ kind: 'customer-field-requested' }) }]);
  useNewSaleOnReturn(dispatch, prefill);
  useDigits(terminal);

  const isEntry = stage.kind === 'entry' || stage.kind === 'sending';
  const isBusy = stage.kind === 'sending' || stage.kind === 'checking';
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // The form also receives the keys of dialogs that its parts open.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (event.key === 'Backspace') return form.onBackspace(event);
    if (event.key !== 'Enter' || !isEntry) return;
    const action = terminal.actionRef.current;
    const isOnAction = action !== null && event.target === action;
    const isFieldOrCharge = event.target instanceof HTMLInputElement || event.target === terminal.chargeRef.current;
    if (!isFieldOrCharge && !isOnAction) return;
    event.preventDefault();
    terminal.enterGuard.press(event, isOnAction ? () => action.click() : terminal.next);
  };
  const onSubmit = (event: FormEvent) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    terminal.charge();
  };
  return (
    <Screen title={t('Sell')} isBare>
      <Box component="form" aria-label={t('Sale')} noValidate autoComplete="off" onSubmit={onSubmit} onKeyDown={onKeyDown} sx={FRAME}>
        <SellBar terminal={terminal} finder={finder} />
        <Box component="section" aria-label={t('Ticket')} sx={TICKET}>
          {/* The form stays while a result is shown, so that the first digit of the next sale has a field. */}
          <Box
            hidden={!isEntry}
            sx={{ minHeight: 0, '&:not([hidden])': { display: 'grid', gridTemplate: 'minmax(0, 1fr) auto / minmax(0, 1fr)' } }}
          >
            <Ticket terminal={terminal} recent={recent.data?.items ?? []} />
          </Box>
          {!isEntry && (
            <Box sx={{ ...TICKET_SCROLLER, py: 4, '& > *': { flex: '1 0 auto' } }}>
              {stage.kind === 'result' && (
                <ResultPanel
                  transaction={stage.transaction}
                  isCardSaved={terminal.isCardSaved}
                  onChange={(transaction) => dispatch({ kind: 'result-updated', transaction })}
                  onNewSale={newSale}
                  guard={terminal.enterGuard}
                />
              )}
              {stage.kind === 'recorded' && <TenderResult tender={stage.tender} onNewSale={newSale} guard={terminal.enterGuard} />}
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
            </Box>
          )}
        </Box>
        <Box sx={ITEMS}>
          <SaleDetails terminal={terminal} />
          {!terminal.areDetailsOpen && <Entry terminal={terminal} finder={finder} frozen={isBusy} />}
          {!terminal.areDetailsOpen && <SellGiftCard frozen={isBusy} onAdd={terminal.addGiftCard} />}
          <UnconfirmedList
            watchedId={stage.kind === 'checking' ? stage.unconfirmed.transactionId : null}
            onConfirmed={(unconfirmed, transaction) => dispatch({ kind: 'charge-confirmed', unconfirmed, transaction })}
          />
          {!terminal.areDetailsOpen && <RecentSales opensFirst={finder.items.length === 0} />}
        </Box>
      </Box>
    </Screen>
  );
}

/** The items of the merchant, or keys for the amount if there are none. */
function Entry({ terminal, finder, frozen }: { terminal: Terminal; finder: ItemFinder; frozen: boolean }) {
  const { form, readyForEntry, dispatch } = terminal;
  const focusNext = useCallback(() => dispatch({ kind: 'next-field-requested' }), [dispatch]);
  const latest = useRef(form);
  latest.current = form;
  /** The amount is typed into its field, or into the search as long as lines take its place. */
  const onCustomAmount = useCallback(() => {
    if (!readyForEntry() || latest.current.focus('amount')) return;
    focusField('sale-item');
    announce(t('Type the amount, then press Enter.'));
  }, [readyForEntry]);
  const onKey = (key: string) => {
    if (!readyForEntry()) return;
    const typed = form.values().amount ?? '';
    form.fill({ amount: key === '' ? typed.slice(0, -1) : typed + key });
  };
  if (finder.items.length === 0) return <Keypad frozen={frozen} onKey={onKey} />;
  return (
    <ItemGrid
      found={finder.found}
      isSearching={finder.typed.trim() !== ''}
      frozen={frozen}
      onAdd={finder.add}
      onCustomAmount={onCustomAmount}
      onPointerAdded={focusNext}
    />
  );
}

/** Returns the items that the terminal offers: those of the merchant in its currency that are not archived. */
function useOfferedItems(): readonly Item[] {
  const { merchantId, currency } = useMerchant();
  const { data } = useQuery({ ...itemsQuery(merchantId), enabled: useMay()('items:read') });
  return useMemo(() => data?.filter((item) => item.status === 'active' && item.currency === currency) ?? [], [data, currency]);
}

/** Sends digits that are typed outside of fields to the next field of the sale. After a result they begin the next sale. */
function useDigits({ readyForEntry, form }: Terminal): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isDigit = /^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isInField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [role=combobox]');
      if (!isDigit || isInField || event.defaultPrevented || isDialogOpen() || isUnderOverlay() || !readyForEntry()) return;
      // The browser types the digit into the field that has the focus now; the next sale has it in its amount already.
      const next = document.activeElement instanceof HTMLInputElement ? null : latest.current.next();
      const input = next !== null && latest.current.focus(next) ? document.activeElement : null;
      if (input instanceof HTMLInputElement) input.setSelectionRange(input.value.length, input.value.length);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [readyForEntry]);
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
