import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useMemo } from 'react';
import type { Item, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { exponentOf, type TaxRule, writeAmount } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { KeyHint, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { testCardValues } from '#renderer/shared/card-readers';
import { itemsQuery } from '#renderer/shared/items';
import { useChargeLater } from './charge-later/use-charge-later.tsx';
import { CustomerField } from './customer/customer-field.tsx';
import { customerName } from './customer/payer.ts';
import { defaultConsent, SaveCard } from './customer/save-card.tsx';
import { BankFields } from './form/bank-fields.tsx';
import { CardFields } from './form/card-fields.tsx';
import { ChannelBar } from './form/channel-bar.tsx';
import { EntryField } from './form/entry-field.tsx';
import { ModeBar } from './form/mode-bar.tsx';
import { MoreFields } from './form/more-fields.tsx';
import { ProofField } from './form/proof-field.tsx';
import { SavedFields } from './form/saved-fields.tsx';
import { ShipToFields } from './form/ship-to-fields.tsx';
import { TestCardMenu } from './form/test-card-menu.tsx';
import { totalOf } from './form/total.ts';
import { ItemsPanel } from './items/items-panel.tsx';
import { NoGatewayNote } from './no-gateway-note.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { OutageNote } from './outage-note.tsx';
import { READER_KEYS, ReaderFields } from './reader/reader-fields.tsx';
import { useTenders } from './tender/use-tenders.tsx';
import type { Terminal } from './use-terminal.ts';

const ADVANCE_NOTE = 'sale-advance-note';
/** Longer amounts are hidden, because they are probably a card number. */
const AMOUNT_DIGITS_SHOWN = 9;

/** Height of the bar with the button that charges. A focused field is never hidden by it. */
const CHARGE_BAR_PX = 72;
/** The button that charges stays in view if the form is longer than the window. */
const CHARGE_BAR = {
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  py: 2,
  my: -2,
  backgroundColor: 'background.paper',
} as const;

/** The form of the sale. */
export function SalePanel({ terminal, recent }: { terminal: Terminal; recent: readonly Transaction[] }) {
  const { form, rules, stage, mode, type, settings, basket, dispatch } = terminal;
  const items = useOfferedItems();
  const isSandbox = useIsSandbox();
  const autoAdvance = useWorkstation((workstation) => workstation.autoAdvance);
  const moreOpen = useWorkstation((workstation) => workstation.moreOpen);
  const shipToOpen = useWorkstation((workstation) => workstation.shipToOpen);
  const change = useWorkstation((workstation) => workstation.change);
  const frozen = stage.kind === 'sending';
  const tenders = useTenders(terminal);
  const chargeLater = useChargeLater(terminal);
  // No card or account is entered while it can't be charged; a saved one can still be chosen.
  const isStopped = terminal.outage !== null;
  const paymentProps = {
    form,
    rules,
    frozen: frozen || (isStopped && mode !== 'saved'),
    ...(autoAdvance ? { describedBy: ADVANCE_NOTE } : {}),
  };

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Backspace') return form.onBackspace(event);
    if (event.key !== 'Enter') return;
    const action = terminal.actionRef.current;
    const isOnAction = action !== null && event.target === action;
    const isFieldOrCharge = event.target instanceof HTMLInputElement || event.target === terminal.chargeRef.current;
    if (!isFieldOrCharge && !isOnAction) return;
    event.preventDefault();
    terminal.enterGuard.press(event, isOnAction ? () => action.click() : terminal.next);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    terminal.charge();
  };

  return (
    <>
      <Box
        component="form"
        aria-label={t('Sale')}
        noValidate
        autoComplete="off"
        onSubmit={onSubmit}
        onKeyDown={onKeyDown}
        sx={{ display: 'flex', flexDirection: 'column', gap: 3, '& input': { scrollMarginBottom: CHARGE_BAR_PX } }}
      >
        <ModeBar
          type={type}
          mode={mode}
          modes={settings.modes}
          frozen={frozen}
          onType={(chosen) => dispatch({ kind: 'type-chosen', type: chosen })}
          onMode={(chosen) => dispatch({ kind: 'mode-chosen', mode: chosen })}
        >
          {isSandbox && mode !== 'reader' && settings.modes.includes('card') && (
            <TestCardMenu onPick={(card) => dispatch({ kind: 'card-filled', values: testCardValues(card) })} disabled={frozen} />
          )}
        </ModeBar>
        <NoGatewayNote />
        {terminal.outage && <OutageNote outage={terminal.outage} />}
        {isStopped && tenders.bar}
        {stage.kind === 'entry' && stage.notice && (
          <NoticeBar
            notice={stage.notice}
            actionRef={terminal.actionRef}
            onUseOtherMethod={() => dispatch({ kind: 'other-card-requested' })}
            onNewSale={() => dispatch({ kind: 'new-sale-requested' })}
            onWait={() => dispatch({ kind: 'notice-dismissed' })}
            onChargeAnyway={terminal.charge}
          />
        )}
        {items.length > 0 && <ItemsPanel items={items} basket={basket} frozen={frozen} />}
        <Box sx={{ display: 'grid', gap: 1 }}>
          <EntryField
            bound={form.field('amount')}
            label={t('Amount')}
            numeric
            large
            required
            frozen={frozen || basket.lines.length > 0}
            concealed={form.amount.replace(/\D/g, '').length > AMOUNT_DIGITS_SHOWN}
            placeholder={exponentOf(rules.currency) === 0 ? '0' : writeAmount(0, rules.currency)}
            maxLength={24}
            end={
              <Box component="span" sx={{ color: 'text.secondary', fontWeight: 550 }}>
                {rules.currency}
              </Box>
            }
          />
          {rules.tax && <TaxField terminal={terminal} tax={rules.tax} frozen={frozen} />}
          {rules.asksTip && <EntryField bound={form.field('tip')} label={t('Tip (optional)')} numeric frozen={frozen} maxLength={24} />}
          {mode === 'card' && <CardFields {...paymentProps} />}
          {mode === 'reader' && <ReaderFields choice={terminal.readers} frozen={frozen || isStopped} />}
          {mode === 'bank' && (
            <BankFields
              {...paymentProps}
              accountType={terminal.accountType}
              onAccountType={(accountType) => dispatch({ kind: 'account-type-chosen', accountType })}
              accountHolder={terminal.accountHolder}
              onAccountHolder={(accountHolder) => dispatch({ kind: 'account-holder-chosen', accountHolder })}
            />
          )}
          {mode === 'saved' && (
            <SavedFields
              {...paymentProps}
              recent={recent}
              payer={terminal.payer.payer}
              onMethod={terminal.payer.chooseMethod}
              onCustomer={() => dispatch({ kind: 'customer-field-requested' })}
            />
          )}
          {terminal.isBankDebit && <ProofField {...paymentProps} channel={terminal.channel} />}
        </Box>
        {chargeLater}
        <Box sx={chargeLater === null ? CHARGE_BAR : { display: 'none' }}>
          <Button
            ref={terminal.chargeRef}
            type="submit"
            variant="contained"
            color="primary"
            size="large"
            fullWidth
            disabled={isStopped}
            loading={frozen}
            loadingPosition="start"
          >
            {chargeLabel(terminal)}
          </Button>
        </Box>
        {!isStopped && tenders.bar}
        <Box
          sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, fontSize: 12, color: 'text.secondary', alignItems: 'center' }}
        >
          <span>
            <KeyHint keys="Enter" /> {t('next field, then charge')}
          </span>
          {mode === 'card' && <span>{t('Swipe at any time')}</span>}
          {mode === 'reader' && settings.modes.includes('card') && (
            <span>
              <KeyHint keys={READER_KEYS} /> {t('key the card')}
            </span>
          )}
          {autoAdvance && mode !== 'saved' && mode !== 'reader' && <span>{t('Auto-advances when a field is complete')}</span>}
        </Box>
        {mode !== 'reader' && (
          <ChannelBar
            mode={mode}
            channel={terminal.channel}
            frozen={frozen}
            onChannel={(channel) => dispatch({ kind: 'channel-chosen', channel })}
          />
        )}
        {autoAdvance && (
          <Box id={ADVANCE_NOTE} sx={VISUALLY_HIDDEN}>
            {t('Auto-advances when complete. Turn this off under This workstation.')}
          </Box>
        )}
        <MoreFields form={form} rules={rules} open={moreOpen} onToggle={() => change({ moreOpen: !moreOpen })} frozen={frozen}>
          <CustomerOfSale terminal={terminal} frozen={frozen} />
        </MoreFields>
        <ShipToFields form={form} rules={rules} open={shipToOpen} onToggle={() => change({ shipToOpen: !shipToOpen })} frozen={frozen} />
      </Box>
      {tenders.dialog}
    </>
  );
}

/** Returns the items that the terminal offers: those of the merchant in its currency that are not archived. */
function useOfferedItems(): readonly Item[] {
  const { merchantId, currency } = useMerchant();
  const { data } = useQuery({ ...itemsQuery(merchantId), enabled: useMay()('items:read') });
  return useMemo(() => data?.filter((item) => item.status === 'active' && item.currency === currency) ?? [], [data, currency]);
}

/** Customer of the sale, and whether the card is saved. */
function CustomerOfSale({ terminal, frozen }: { terminal: Terminal; frozen: boolean }) {
  const { payer, mode } = terminal;
  const merchant = useMerchant();
  const may = useMay();
  const customer = payer.payer?.customer ?? null;
  if (!may('customers:read')) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <CustomerField
        merchantId={merchant.merchantId}
        customer={customer}
        frozen={frozen}
        inputRef={payer.customerRef}
        onPick={payer.pick}
      />
      {mode !== 'saved' && mode !== 'reader' && may('customers:write') && (
        <SaveCard
          consent={payer.consent}
          customer={customer && customerName(customer)}
          what={mode === 'bank' ? 'account' : 'card'}
          frozen={frozen}
          defaultText={defaultConsent(merchant.name)}
          onConsent={payer.setConsent}
        />
      )}
    </Box>
  );
}

/** Tax on the amount. Without a typed amount it is computed; 0 exempts the sale. */
function TaxField({ terminal: { form, rules }, tax, frozen }: { terminal: Terminal; tax: TaxRule; frozen: boolean }) {
  const computed = totalOf({ amount: form.amount }, { ...rules, surchargePercent: 0 })?.tax ?? null;
  const shown = { tax: tax.name, percent: tax.percent };
  return (
    <EntryField
      bound={form.field('tax')}
      label={tax.isIncluded ? t('{{tax}} ({{percent}}%, included)', shown) : t('{{tax}} ({{percent}}%, added)', shown)}
      numeric
      frozen={frozen}
      placeholder={writeAmount(computed ?? 0, rules.currency)}
      maxLength={24}
    />
  );
}

function chargeLabel({ form, rules, stage, type }: Terminal): string {
  const total = totalOf(form, rules);
  if (stage.kind === 'sending') return type === 'auth' ? t('Authorizing…') : t('Charging…');
  if (total === null) return type === 'auth' ? t('Authorize') : t('Charge');
  const amount = writeAmount(total.decimal, rules.currency);
  return type === 'auth' ? t('Authorize {{amount}}', { amount }) : t('Charge {{amount}}', { amount });
}
