import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useSearchParams } from 'react-router';
import { t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { useMe, useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { DurationSetting, Group, NumberSetting, SwitchSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

const SAVED = t('Saved. Applies from the next operation.');

/** Rules by which operations of the merchant, and changes of access of the account, need a second person. One set at a time, so that there is one form to save. */
export function ApprovalsTab({ merchantId }: TabProps) {
  const { user } = useMe();
  const [params, setParams] = useSearchParams();
  if (user.merchantId !== null) return <MerchantRules merchantId={merchantId} />;
  const scope = params.get('for') === 'account' ? 'account' : 'merchant';
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <ChoiceButtons
        label={t('Rules for')}
        options={[
          ['merchant', t('This merchant')],
          ['account', t('Whole account')],
        ]}
        value={scope}
        onChange={(next) => setParams(next === 'account' ? { for: next } : {})}
        sx={{ justifySelf: 'start' }}
      />
      {scope === 'account' ? <AccountRules /> : <MerchantRules merchantId={merchantId} />}
    </Box>
  );
}

function MerchantRules({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="approvals" permission="roles:write" savedText={SAVED}>
      {({ values, set, faultOf }: Draft<ValuesOf<'approvals'>>, isReadOnly) => {
        /** Both amounts are in the same currency; without them there is none. */
        const currencyOf = (...amounts: readonly (number | null)[]) => (amounts.every((amount) => amount === null) ? null : currency);
        const fieldProps = (field: keyof ValuesOf<'approvals'> & string) => ({ fault: faultOf(field), isReadOnly });
        return (
          <>
            <Group title={t('A manager must approve')} columns={2}>
              <NumberSetting
                label={SETTING_NAMES.approvals.refundAbove}
                placeholder={t('None')}
                unit={values.currency ?? currency}
                help={t('Refunds of one payment count together. In another currency, every refund needs an approval.')}
                value={values.refundAbove}
                onValue={(refundAbove) => set({ refundAbove, currency: currencyOf(refundAbove, values.payOutAbove) })}
                {...fieldProps('refundAbove')}
              />
              <NumberSetting
                label={SETTING_NAMES.approvals.payOutAbove}
                placeholder={t('None')}
                unit={values.currency ?? currency}
                help={t('Pay-outs of a drawer count together for a day. 0 means every pay-out.')}
                value={values.payOutAbove}
                onValue={(payOutAbove) => set({ payOutAbove, currency: currencyOf(payOutAbove, values.refundAbove) })}
                {...fieldProps('payOutAbove')}
              />
              <DurationSetting
                label={SETTING_NAMES.approvals.voidAfter}
                placeholder={t('None')}
                smallest="minutes"
                help={t('After the payment; canceled captures too')}
                value={values.voidAfterMinutes}
                onValue={(voidAfterMinutes) => set({ voidAfterMinutes })}
                {...fieldProps('voidAfterMinutes')}
              />
              <NumberSetting
                label={SETTING_NAMES.approvals.discountAbove}
                placeholder={t('None')}
                unit="%"
                help={t('Of the price. 0 means every discount. A price below that of the item counts too.')}
                value={values.discountAbovePercent}
                onValue={(discountAbovePercent) => set({ discountAbovePercent })}
                {...fieldProps('discountAbovePercent')}
              />
              <NumberSetting
                label={SETTING_NAMES.approvals.tipAbove}
                placeholder={t('None')}
                unit="%"
                help={t('Of the amount without the tip. For tips that staff enter, not for those of payers on pay pages.')}
                value={values.maxTipPercent}
                onValue={(maxTipPercent) => set({ maxTipPercent })}
                {...fieldProps('maxTipPercent')}
              />
              <Box sx={{ gridColumn: '1 / -1', display: 'grid', gap: 2 }}>
                <SwitchSetting
                  label={SETTING_NAMES.approvals.unlinkedCredit}
                  checked={values.unlinkedCredit}
                  onChecked={(unlinkedCredit) => set({ unlinkedCredit })}
                  {...fieldProps('unlinkedCredit')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.approvals.drawerOpening}
                  checked={values.drawerOpening}
                  onChecked={(drawerOpening) => set({ drawerOpening })}
                  {...fieldProps('drawerOpening')}
                />
                <SwitchSetting
                  label={SETTING_NAMES.approvals.approversExempt}
                  checked={values.approversExempt}
                  onChecked={(approversExempt) => set({ approversExempt })}
                  {...fieldProps('approversExempt')}
                />
              </Box>
            </Group>
            <Group title={SETTING_NAMES.approvals.requestsExpire} columns={2}>
              <DurationSetting
                label={t('Of people, after')}
                smallest="seconds"
                value={values.personSeconds}
                onValue={(seconds) => set({ personSeconds: seconds ?? 0 })}
                {...fieldProps('personSeconds')}
              />
              <DurationSetting
                label={t('Of API keys, after')}
                smallest="seconds"
                value={values.keySeconds}
                onValue={(seconds) => set({ keySeconds: seconds ?? 0 })}
                {...fieldProps('keySeconds')}
              />
            </Group>
            <OtherCurrencies merchants={values.merchantsInOtherCurrencies} currency={values.currency} />
            {values.inherited && (
              <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
                {t('These are the rules of the account. A change gives the merchant its own.')}
              </Box>
            )}
          </>
        );
      }}
    </SectionForm>
  );
}

function AccountRules() {
  return (
    <SectionForm merchantId="account" name="accountApprovals" permission="roles:write" savedText={SAVED}>
      {({ values, set, faultOf }: Draft<ValuesOf<'accountApprovals'>>, isReadOnly) => (
        <>
          <OtherCurrencies merchants={values.merchantsInOtherCurrencies} currency={values.currency} />
          <Group title={t('Access')}>
            <SwitchSetting
              label={SETTING_NAMES.approvals.accessChanges}
              help={t('API keys, roles, users and these rules. A second admin approves on their own screen, never with a PIN.')}
              checked={values.accessChanges}
              onChecked={(accessChanges) => set({ accessChanges })}
              fault={faultOf('accessChanges')}
              isReadOnly={isReadOnly}
            />
          </Group>
        </>
      )}
    </SectionForm>
  );
}

/** Merchants whose refunds and pay-outs all need an approval, because the limits are in another currency than theirs. */
function OtherCurrencies({
  merchants,
  currency,
}: {
  merchants: ValuesOf<'approvals'>['merchantsInOtherCurrencies'];
  currency: string | null;
}) {
  if (merchants.length === 0 || currency === null) return null;
  const names = merchants.map((merchant) => `${merchant.name} (${merchant.currency})`).join(', ');
  return (
    <Alert severity="warning">
      {t(
        'Refunds and pay-outs of {{names}} that have a limit always need an approval, because the limits are in {{currency}}. Set limits in their own currency.',
        {
          names,
          currency,
        },
      )}
    </Alert>
  );
}
