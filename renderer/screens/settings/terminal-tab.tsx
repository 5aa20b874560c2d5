import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { channelName } from '#renderer/base/channels';
import { t } from '#renderer/base/language';
import { exponentOf, writeMoney } from '#renderer/base/money';
import { ValueListField } from '#renderer/kit/pickers';
import { useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { type CashRounding, cashUnits } from '#shared/cash-rounding';
import { DESK_CHANNELS } from '#shared/channels';
import { CheckboxGroup, ChoiceSetting, Group, NumberSetting, SwitchSetting, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

const roundingKey = (rounding: CashRounding | null) => (rounding === null ? '' : `${rounding.unit} ${rounding.currency}`);
const roundingName = (rounding: CashRounding | null) =>
  rounding === null ? t('Exact amounts') : writeMoney(rounding.unit, rounding.currency);

/** Returns the roundings of cash in the currency of the merchant, with the present one, which may be in a former currency. */
function roundingOptions(present: CashRounding | null, currency: string): readonly (CashRounding | null)[] {
  const own = cashUnits(exponentOf(currency)).map((unit) => ({ currency, unit }));
  return present === null || present.currency === currency ? [null, ...own] : [null, present, ...own];
}

/** Settings of the virtual terminal and of receipts. */
export function TerminalTab({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="terminal">
      {(draft: Draft<ValuesOf<'terminal'>>, isReadOnly) => {
        const { values, set, faultOf } = draft;
        const fieldProps = (field: keyof ValuesOf<'terminal'> & string) => ({ fault: faultOf(field), isReadOnly });
        const limitCurrency = values.chargeLaterCurrency ?? currency;
        const inOwnCurrency = limitCurrency === currency ? {} : { chargeLaterCurrency: currency };
        return (
          <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 1fr) 240px' } }}>
            <Box sx={{ display: 'grid', gap: 5 }}>
              <Group title={t('Entering a sale')}>
                <SwitchSetting
                  label={SETTING_NAMES.terminal.requireSecurityCode}
                  checked={values.requireCvv}
                  onChecked={(requireCvv) => set({ requireCvv })}
                  {...fieldProps('requireCvv')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.terminal.requireZipCode}
                  checked={values.requireZip}
                  onChecked={(requireZip) => set({ requireZip })}
                  {...fieldProps('requireZip')}
                />
                <CheckboxGroup
                  label={t('Payment methods')}
                  value={values.allowedModes}
                  options={[
                    ['card', t('Card')],
                    ['ach', t('Bank account')],
                    ['token', t('Saved card')],
                  ]}
                  onValue={(allowedModes) => set({ allowedModes })}
                  {...fieldProps('allowedModes')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.defaultType}
                  value={values.defaultType}
                  options={[
                    ['sale', t('Sale')],
                    ['auth', t('Authorization')],
                  ]}
                  onValue={(defaultType) => set({ defaultType })}
                  {...fieldProps('defaultType')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.channel}
                  value={values.channel}
                  options={DESK_CHANNELS.map((channel) => [channel, channelName(channel)])}
                  onValue={(channel) => set({ channel })}
                  {...fieldProps('channel')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.terminal.askForATip}
                  checked={values.tipEnabled}
                  onChecked={(tipEnabled) => set({ tipEnabled })}
                  {...fieldProps('tipEnabled')}
                />
              </Group>
              <Group title={SETTING_NAMES.terminal.register}>
                <CheckboxGroup
                  label={t('Methods')}
                  value={values.tenders}
                  options={[
                    ['cash', t('Cash')],
                    ['check', t('Check')],
                  ]}
                  onValue={(tenders) => set({ tenders })}
                  {...fieldProps('tenders')}
                />
                <ValueListField
                  label={SETTING_NAMES.terminal.otherMethods}
                  help={t('Such as Meal voucher. At most 8.')}
                  value={values.otherTenders}
                  onValue={(otherTenders) => set({ otherTenders })}
                  {...fieldProps('otherTenders')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.roundCashTo}
                  help={t('For currencies without small coins. Cards and checks stay exact; the difference is booked.')}
                  value={roundingKey(values.cashRounding)}
                  options={roundingOptions(values.cashRounding, currency).map((each) => [roundingKey(each), roundingName(each)])}
                  onValue={(key) =>
                    set({ cashRounding: roundingOptions(values.cashRounding, currency).find((each) => roundingKey(each) === key) ?? null })
                  }
                  {...fieldProps('cashRounding')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.terminal.cashRequiresShift}
                  checked={values.cashRequiresShift}
                  onChecked={(cashRequiresShift) => set({ cashRequiresShift })}
                  {...fieldProps('cashRequiresShift')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.terminal.storeCreditForCards}
                  checked={values.storeCreditForCards}
                  onChecked={(storeCreditForCards) => set({ storeCreditForCards })}
                  {...fieldProps('storeCreditForCards')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.shifts}
                  value={values.shiftPer}
                  options={[
                    ['drawer', t('One per drawer')],
                    ['person', t('One per drawer and person')],
                  ]}
                  onValue={(shiftPer) => set({ shiftPer })}
                  {...fieldProps('shiftPer')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.parkedSales}
                  help={t('When a shift is closed, and in the daily close. Nothing is canceled without a question.')}
                  value={values.parkedSales}
                  options={[
                    ['cancel', t('Offer to cancel them')],
                    ['keep', t('Keep them for tomorrow')],
                  ]}
                  onValue={(parkedSales) => set({ parkedSales })}
                  {...fieldProps('parkedSales')}
                />
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.refundsToGiftCards}
                  help={t('How a refund of a sale with several payments is proposed.')}
                  value={values.giftCardRefunds}
                  options={[
                    ['proportional', t('In proportion')],
                    ['first', t('Gift cards first')],
                    ['last', t('Gift cards last')],
                  ]}
                  onValue={(giftCardRefunds) => set({ giftCardRefunds })}
                  {...fieldProps('giftCardRefunds')}
                />
                <NumberSetting
                  label={SETTING_NAMES.terminal.giftCardExpiry}
                  unit={t('months')}
                  help={t(
                    'Empty means never. Counted from the last amount put on the card. The law can forbid expiry or set a shortest period.',
                  )}
                  value={values.giftCardExpiryMonths}
                  onValue={(giftCardExpiryMonths) => set({ giftCardExpiryMonths })}
                  {...fieldProps('giftCardExpiryMonths')}
                />
              </Group>
              <Group title={SETTING_NAMES.terminal.chargeLater}>
                {limitCurrency !== currency && (
                  <Alert severity="warning">
                    {t('These limits are in {{currency}}, so nothing is queued. Enter them in {{own}}.', {
                      currency: limitCurrency,
                      own: currency,
                    })}
                  </Alert>
                )}
                <NumberSetting
                  label={SETTING_NAMES.terminal.largestAmount}
                  unit={limitCurrency}
                  help={t('During an outage, saved cards with consent can be queued up to this amount. Empty turns it off.')}
                  value={values.chargeLaterMaxAmount}
                  onValue={(chargeLaterMaxAmount) => set({ chargeLaterMaxAmount, ...inOwnCurrency })}
                  {...fieldProps('chargeLaterMaxAmount')}
                />
                <NumberSetting
                  label={SETTING_NAMES.terminal.largestSumPerCustomer}
                  unit={limitCurrency}
                  help={t('All open payments of a customer together. Empty means the largest amount of one payment.')}
                  value={values.chargeLaterMaxPerCustomer}
                  onValue={(chargeLaterMaxPerCustomer) => set({ chargeLaterMaxPerCustomer, ...inOwnCurrency })}
                  {...fieldProps('chargeLaterMaxPerCustomer')}
                />
              </Group>
              <Group title={SETTING_NAMES.terminal.receipts}>
                <ChoiceSetting
                  label={SETTING_NAMES.terminal.paper}
                  value={values.receiptWidth}
                  options={[
                    ['58mm', t('58 mm roll')],
                    ['80mm', t('80 mm roll')],
                    ['letter', t('US letter')],
                  ]}
                  onValue={(receiptWidth) => set({ receiptWidth })}
                  {...fieldProps('receiptWidth')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.terminal.printWhenApproved}
                  checked={values.autoPrint}
                  onChecked={(autoPrint) => set({ autoPrint })}
                  {...fieldProps('autoPrint')}
                />
                <TextSetting
                  label={SETTING_NAMES.terminal.header}
                  lines={2}
                  value={values.receiptHeader}
                  onValue={(receiptHeader) => set({ receiptHeader })}
                  {...fieldProps('receiptHeader')}
                />
                <TextSetting
                  label={SETTING_NAMES.terminal.footer}
                  lines={2}
                  value={values.receiptFooter}
                  onValue={(receiptFooter) => set({ receiptFooter })}
                  {...fieldProps('receiptFooter')}
                />
              </Group>
            </Box>
            <Preview values={values} />
          </Box>
        );
      }}
    </SectionForm>
  );
}

/** Preview of the required fields and of a receipt, with the values of the form. */
function Preview({ values }: { values: ValuesOf<'terminal'> }) {
  const { name } = useMerchant();
  const requiredFields = [
    t('Amount'),
    ...(values.tipEnabled ? [t('Tip (optional)')] : []),
    t('Card number'),
    t('Expiry'),
    values.requireCvv ? t('Security code') : t('Security code (optional)'),
    ...(values.requireZip ? [t('ZIP')] : []),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 5, alignContent: 'start', fontSize: 13 }}>
      <Box component="section" aria-label={t('Fields of a card sale')}>
        <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{t('A card sale asks for')}</Box>
        <Box component="ol" sx={{ m: 0, paddingInlineStart: 5, display: 'grid', gap: 1 }}>
          {requiredFields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </Box>
      </Box>
      <Box component="section" aria-label={t('Receipt')} className="mono" sx={RECEIPT}>
        {values.receiptHeader && <Box>{values.receiptHeader}</Box>}
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
        <Box>{t('SALE 24.50')}</Box>
        <Box>VISA ····1111</Box>
        {values.receiptFooter && <Box>{values.receiptFooter}</Box>}
      </Box>
    </Box>
  );
}

const RECEIPT = {
  p: 3,
  display: 'grid',
  gap: 1,
  textAlign: 'center',
  fontSize: 12,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  border: 1,
  borderColor: 'divider',
  bgcolor: '#FFFFFF',
  color: '#14181F',
} as const;
