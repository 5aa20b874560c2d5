import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, exponentOf, type TaxRule, writeAmount } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { FailureNote, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { SaleCustomerField } from '../customer/customer-field.tsx';
import { DiscountButton } from '../discount/discount-button.tsx';
import { EntryField } from '../form/entry-field.tsx';
import { isTender } from '../form/form.ts';
import { tenderInSentence } from '../form/tenders.ts';
import { totalOf } from '../form/total.ts';
import { BasketLines } from '../items/basket-lines.tsx';
import { OrderPanel } from '../order/order-panel.tsx';
import { SplitButtons } from '../order/split-buttons.tsx';
import type { Terminal } from '../terminal/use-terminal.ts';
import { MethodBar } from './method-bar.tsx';
import { NoGatewayNote, OutageNote, TestGatewayNote } from './notes.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { ADVANCE_NOTE, PaymentFields } from './payment-fields.tsx';
import { Sums } from './sums.tsx';
import { useChargeLater } from './use-charge-later.tsx';

/** Longer amounts are hidden, because they are probably a card number. */
const AMOUNT_DIGITS_SHOWN = 9;

/** Part of the ticket above its foot. Only the lines give way; in a low window the whole part scrolls, and nothing covers a field. */
export const TICKET_SCROLLER = {
  minHeight: 0,
  overflowY: 'auto',
  display: 'flex',
  flexDirection: 'column',
  px: 4,
  '& > *': { flex: 'none' },
} as const;

interface TicketProps {
  readonly terminal: Terminal;
  readonly recent: readonly Transaction[];
}

/** The sale: customer, lines or amount, sums, notices, payment method, and the button that charges. */
export function Ticket({ terminal, recent }: TicketProps) {
  const { form, rules, stage, payer, basket, sale, dispatch } = terminal;
  const { merchantId } = useMerchant();
  const mayReadCustomers = useMay()('customers:read');
  const autoAdvance = useWorkstation((workstation) => workstation.autoAdvance);
  const frozen = stage.kind === 'sending';
  return (
    <>
      <Box sx={TICKET_SCROLLER}>
        {mayReadCustomers && (
          <SaleCustomerField
            merchantId={merchantId}
            customer={payer.payer?.customer ?? null}
            frozen={frozen}
            inputRef={payer.customerRef}
            onPick={payer.pick}
          />
        )}
        {sale.order && <OrderPanel sale={sale} order={sale.order} frozen={stage.kind !== 'entry'} />}
        {basket.lines.length > 0 && <BasketLines basket={basket} currency={rules.currency} frozen={frozen} />}
        {/* The amount is typed where a total would stand. */}
        <Box hidden={basket.lines.length > 0} sx={{ pt: 2 }}>
          <EntryField
            bound={form.field('amount')}
            label={t('Amount')}
            numeric
            large
            tight
            required
            frozen={frozen}
            concealed={form.amount.replace(/\D/g, '').length > AMOUNT_DIGITS_SHOWN}
            placeholder={exponentOf(rules.currency) === 0 ? '0' : writeAmount(0, rules.currency)}
            maxLength={24}
            end={
              <Box component="span" sx={{ color: 'text.secondary', fontWeight: 550 }}>
                {rules.currency}
              </Box>
            }
          />
        </Box>
        {(rules.tax || rules.asksTip) && (
          <Box sx={{ display: 'grid', gridAutoFlow: 'column', gridAutoColumns: 'minmax(0, 1fr)', gap: 3, pt: 1 }}>
            {rules.tax && <TaxField terminal={terminal} tax={rules.tax} frozen={frozen} />}
            {rules.asksTip && <EntryField bound={form.field('tip')} label={t('Tip (optional)')} numeric frozen={frozen} maxLength={24} />}
          </Box>
        )}
        <Sums terminal={terminal} />
        <Box sx={{ display: 'grid', gap: 2, py: 2 }}>
          <TestGatewayNote />
          <NoGatewayNote />
          {terminal.outage && <OutageNote outage={terminal.outage} />}
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
          <MethodBar terminal={terminal} />
        </Box>
        <PaymentFields terminal={terminal} recent={recent} />
        {autoAdvance && (
          <Box id={ADVANCE_NOTE} sx={VISUALLY_HIDDEN}>
            {t('Auto-advances when complete. Turn this off under This workstation.')}
          </Box>
        )}
      </Box>
      <Foot terminal={terminal} />
    </>
  );
}

/** The button that charges, with what can be added to the sale. */
function Foot({ terminal }: { terminal: Terminal }) {
  const { stage, mode, form, rules, basket, sale, areDetailsOpen, showDetails } = terminal;
  const chargeLater = useChargeLater(terminal);
  return (
    <Box sx={{ display: 'grid', gap: 1, px: 4, pt: 2, pb: 2 }}>
      {chargeLater}
      <Button
        ref={terminal.chargeRef}
        type="submit"
        variant="contained"
        color="primary"
        size="large"
        fullWidth
        disabled={terminal.outage !== null && !isTender(mode)}
        loading={stage.kind === 'sending'}
        loadingPosition="start"
        sx={{ minHeight: 48, ...(chargeLater !== null && { display: 'none' }) }}
      >
        {chargeLabel(terminal)}
      </Button>
      {sale.order === null && terminal.outage === null && sale.failure && <FailureNote failure={sale.failure} />}
      <Box sx={{ display: 'grid', gridAutoFlow: 'column', gridAutoColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {sale.order === null && (
          <DiscountButton basket={basket} amount={form.amount} currency={rules.currency} frozen={stage.kind !== 'entry'} />
        )}
        <SplitButtons terminal={terminal} />
        <Button
          size="small"
          aria-label={t('More: receipt, order, address')}
          aria-expanded={areDetailsOpen}
          aria-controls="sale-details"
          onClick={() => showDetails(!areDetailsOpen)}
        >
          {t('More')}
        </Button>
      </Box>
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

function chargeLabel({ form, rules, stage, type, mode, giftCard }: Terminal): string {
  const total = totalOf(form, rules);
  const taken = giftCard.takes();
  const decimal = taken === null ? total?.decimal : decimalText(taken.takenMinor, rules.currency);
  const amount = decimal === undefined ? null : writeAmount(decimal, rules.currency);
  if (isTender(mode)) {
    const tender = tenderInSentence(mode);
    if (giftCard.isLooking) return t('Checking the balance…');
    if (stage.kind === 'sending') return t('Recording…');
    return amount === null ? t('Take {{tender}}', { tender }) : t('Take {{amount}}, {{tender}}', { amount, tender });
  }
  if (stage.kind === 'sending') return type === 'auth' ? t('Authorizing…') : t('Charging…');
  if (amount === null) return type === 'auth' ? t('Authorize') : t('Charge');
  return type === 'auth' ? t('Authorize {{amount}}', { amount }) : t('Charge {{amount}}', { amount });
}
