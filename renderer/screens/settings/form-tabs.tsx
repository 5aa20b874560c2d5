import { t } from '#renderer/base/language';
import { CountryPicker, CurrencyPicker, TimeZonePicker, ValueListField } from '#renderer/kit/pickers';
import { useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChoiceSetting, Group, NumberSetting, SwitchSetting, TextSetting } from './fields.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

export interface TabProps {
  readonly merchantId: string;
}

/** A tab whose action beside the title of the screen opens a dialog. */
export interface ListTabProps extends TabProps {
  readonly isNewOpen: boolean;
  readonly onNewOpen: (isOpen: boolean) => void;
}

type Profile = ValuesOf<'profile'>;
type TextField = 'legalName' | 'email' | 'phone' | 'address' | 'city' | 'state' | 'zip';
const CONTACT: readonly (readonly [TextField, string])[] = [
  ['legalName', SETTING_NAMES.profile.legalName],
  ['email', t('Email')],
  ['phone', t('Phone')],
  ['address', t('Address')],
  ['city', t('City')],
  ['state', t('State')],
  ['zip', t('ZIP')],
];

/** Name, currency and time zone of the merchant. */
export function ProfileTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="profile">
      {(draft: Draft<Profile>, isReadOnly) => (
        <>
          <Group title={t('Business')} columns={2}>
            <TextSetting
              label={t('Name')}
              value={draft.values.name}
              onValue={(name) => draft.set({ name })}
              fault={draft.faultOf('name')}
              isReadOnly={isReadOnly}
            />
            {CONTACT.map(([field, label]) => (
              <TextSetting
                key={field}
                label={label}
                placeholder={field === 'phone' ? '+12075550142' : ''}
                value={draft.values[field] ?? ''}
                onValue={(value) => draft.set({ [field]: value === '' ? null : value })}
                fault={draft.faultOf(field)}
                isReadOnly={isReadOnly}
              />
            ))}
          </Group>
          <Group title={t('Money and time')} columns={2}>
            <CurrencyPicker
              id="profile-currency"
              label={SETTING_NAMES.profile.currency}
              value={draft.values.currency}
              onValue={(currency) => draft.set({ currency })}
              fault={draft.faultOf('currency')}
              isReadOnly={isReadOnly}
            />
            <TimeZonePicker
              id="profile-timezone"
              label={SETTING_NAMES.profile.timeZone}
              help={t('Used for reports and settlement days.')}
              value={draft.values.timezone}
              onValue={(timezone) => draft.set({ timezone })}
              fault={draft.faultOf('timezone')}
              isReadOnly={isReadOnly}
            />
            <CountryPicker
              id="profile-country"
              label={SETTING_NAMES.profile.country}
              value={draft.values.country}
              onValue={(country) => draft.set({ country })}
              fault={draft.faultOf('country')}
              isReadOnly={isReadOnly}
            />
          </Group>
        </>
      )}
    </SectionForm>
  );
}

const daysOf = (values: readonly string[]) => values.map(Number);

/** Dunning settings for declined renewals. */
export function DunningTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="dunning">
      {(draft: Draft<ValuesOf<'dunning'>>, isReadOnly) => (
        <Group title={t('Declined renewals')}>
          <ValueListField
            label={SETTING_NAMES.dunning.daysUntilEachRetry}
            help={t('Counted from the previous attempt, such as 1, 3, 5, 7')}
            value={draft.values.retryIntervalsDays.map(String)}
            normalize={(values) => daysOf(values).map(String)}
            onValue={(values) => draft.set({ retryIntervalsDays: daysOf(values) })}
            separator={/[\s,;]+/}
            fault={draft.faultOf('retryIntervalsDays')}
            isReadOnly={isReadOnly}
          />
          <ChoiceSetting
            label={SETTING_NAMES.dunning.afterTheLastRetry}
            value={draft.values.finalAction}
            options={[
              ['cancel', t('Cancel the subscription')],
              ['pause', t('Pause the subscription')],
            ]}
            onValue={(finalAction) => draft.set({ finalAction })}
            fault={draft.faultOf('finalAction')}
            isReadOnly={isReadOnly}
          />
          <SwitchSetting
            label={SETTING_NAMES.dunning.notifiesCustomer}
            checked={draft.values.notifyCustomer}
            onChecked={(notifyCustomer) => draft.set({ notifyCustomer })}
            isReadOnly={isReadOnly}
          />
          <ChoiceSetting
            label={SETTING_NAMES.dunning.missedPayments}
            value={draft.values.missedPeriods}
            options={[
              ['latest', t('Charge the current period once')],
              ['each', t('Charge each missed payment, one hour apart')],
            ]}
            onValue={(missedPeriods) => draft.set({ missedPeriods })}
            fault={draft.faultOf('missedPeriods')}
            isReadOnly={isReadOnly}
          />
        </Group>
      )}
    </SectionForm>
  );
}

/** Number of automatic retries of a declined refund. */
export function RefundsTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="settings" savedText={t('Saved. Applies to refunds that are declined from now on.')}>
      {({ values, set, faultOf }: Draft<ValuesOf<'settings'>>, isReadOnly) => (
        <Group title={SETTING_NAMES.refunds.declinedRefunds}>
          <NumberSetting
            label={SETTING_NAMES.refunds.retries}
            unit={t('retries')}
            help={t('Delays before each retry: none, 5, 10 and 20 minutes, 1, 2, 6, 12 and 24 hours')}
            value={values.refundMaxAttempts}
            onValue={(attempts) => set({ refundMaxAttempts: attempts ?? 0 })}
            fault={faultOf('refundMaxAttempts')}
            isReadOnly={isReadOnly}
          />
        </Group>
      )}
    </SectionForm>
  );
}

const FEES = [
  ['cardFee', t('Cards')],
  ['achFee', t('Bank accounts')],
] as const;

/** Fees of the merchant per transaction, calculated on the captured amount. */
export function FeesTab({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="settings">
      {(draft: Draft<ValuesOf<'settings'>>, isReadOnly) =>
        FEES.map(([field, title]) => {
          const fee = draft.values[field];
          return (
            <Group key={field} title={title} columns={2}>
              <NumberSetting
                label={t('Percentage')}
                unit="%"
                value={fee.percent}
                onValue={(percent) => draft.set({ [field]: { ...fee, percent: percent ?? 0 } })}
                fault={draft.faultOf(field)}
                isReadOnly={isReadOnly}
              />
              <NumberSetting
                label={t('Fixed amount')}
                unit={currency}
                value={fee.fixed}
                onValue={(fixed) => draft.set({ [field]: { ...fee, fixed: fixed ?? 0 } })}
                isReadOnly={isReadOnly}
              />
              <NumberSetting
                label={t('Maximum')}
                placeholder={t('No limit')}
                unit={currency}
                value={fee.cap}
                onValue={(cap) => draft.set({ [field]: { ...fee, cap } })}
                isReadOnly={isReadOnly}
              />
            </Group>
          );
        })
      }
    </SectionForm>
  );
}
