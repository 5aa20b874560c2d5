import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { ValueListField } from '#renderer/kit/pickers';
import { FailureNote } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { CheckboxGroup, DurationSetting, Group, NumberSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { type FraudSettings, simulateFraudRules } from './sections.ts';
import type { Draft } from './use-draft.ts';

const AVS = [
  ['N', t('Neither the street nor the ZIP matches')],
  ['A', t('The ZIP does not match')],
  ['Z', t('The street does not match, or was not sent')],
] as const;
const CVV = [
  ['N', t('The CVV does not match')],
  ['U', t('The bank cannot check the CVV')],
  ['P', t('The CVV was not checked')],
] as const;
/** Results that decline good cards. They can be set through the API only, and are listed while they are set. */
const AVS_MATCH = ['Y', t('Street and ZIP match (declines good cards)')] as const;
const CVV_MATCH = ['M', t('The CVV matches (declines good cards)')] as const;
const DECLINES_BY_RULE: Readonly<Record<string, (count: number) => string>> = {
  maxAmount: (count) => t('{{count, number}} by maximum amount', { count }),
  blockedBins: (count) => t('{{count, number}} by blocked cards', { count }),
  blockedEmails: (count) => t('{{count, number}} by blocked email addresses', { count }),
  maxPerCardPerHour: (count) => t('{{count, number}} by payments per card in an hour', { count }),
  duplicateWindowSeconds: (count) => t('{{count, number}} by duplicate window', { count }),
  declineOnAvs: (count) => t('{{count, number}} by address check', { count }),
  declineOnCvv: (count) => t('{{count, number}} by security code check', { count }),
};

/** Fraud rules of the merchant, in addition to those of its gateway. */
export function FraudTab({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="fraud" problemsOf={(values) => amountProblems(values, currency)}>
      {(draft: Draft<FraudSettings>, isReadOnly) => {
        const { values, set } = draft;
        const fieldProps = (field: keyof FraudSettings & string) => ({ fault: draft.faultOf(field), isReadOnly });
        return (
          <>
            <Group title={SETTING_NAMES.fraud.checksOfTheGateway}>
              <CheckboxGroup
                label={t('Decline when, by the address check')}
                value={values.declineOnAvs}
                options={values.declineOnAvs.includes('Y') ? [...AVS, AVS_MATCH] : AVS}
                onValue={(declineOnAvs) => set({ declineOnAvs })}
                {...fieldProps('declineOnAvs')}
              />
              <CheckboxGroup
                label={t('Decline when, by the security code check')}
                value={values.declineOnCvv}
                options={values.declineOnCvv.includes('M') ? [...CVV, CVV_MATCH] : CVV}
                onValue={(declineOnCvv) => set({ declineOnCvv })}
                {...fieldProps('declineOnCvv')}
                help={t('Approved payments that fail are voided automatically.')}
              />
            </Group>
            <Group title={t('Limits')} columns={2}>
              <NumberSetting
                label={SETTING_NAMES.fraud.maxAmount}
                unit={values.maxAmountCurrency ?? currency}
                help={t('No limit if blank')}
                value={values.maxAmount}
                onValue={(maxAmount) =>
                  set({ maxAmount, maxAmountCurrency: maxAmount === null && values.maxCreditsPerDay === null ? null : currency })
                }
                {...fieldProps('maxAmount')}
              />
              <NumberSetting
                label={SETTING_NAMES.fraud.maxCreditsPerDay}
                unit={values.maxAmountCurrency ?? currency}
                help={t('The max amount if blank')}
                value={values.maxCreditsPerDay}
                onValue={(maxCreditsPerDay) => set({ maxCreditsPerDay })}
                {...fieldProps('maxCreditsPerDay')}
              />
              <AmountsByCurrency
                value={values.maxAmountByCurrency}
                onValue={(maxAmountByCurrency) => set({ maxAmountByCurrency })}
                fault={draft.faultOf('maxAmountByCurrency')}
                isReadOnly={isReadOnly}
              />
              <NumberSetting
                label={SETTING_NAMES.fraud.maxPerCardPerHour}
                help={t('No limit if blank')}
                value={values.maxPerCardPerHour}
                onValue={(maxPerCardPerHour) => set({ maxPerCardPerHour })}
                {...fieldProps('maxPerCardPerHour')}
              />
              <DurationSetting
                label={SETTING_NAMES.fraud.duplicateWindow}
                smallest="seconds"
                help={t('0 turns it off. A repeat of the same card and amount within the window is rejected, not charged.')}
                value={values.duplicateWindowSeconds}
                onValue={(seconds) => set({ duplicateWindowSeconds: seconds ?? 0 })}
                {...fieldProps('duplicateWindowSeconds')}
              />
            </Group>
            <Group title={t('Blocked')} columns={2}>
              <ValueListField
                label={SETTING_NAMES.fraud.cardsStartingWith}
                help={t('Four to eight digits each')}
                value={values.blockedBins}
                onValue={(blockedBins) => set({ blockedBins })}
                {...fieldProps('blockedBins')}
              />
              <ValueListField
                label={SETTING_NAMES.fraud.emailAddresses}
                help={t('@example.com blocks a whole domain')}
                value={values.blockedEmails}
                onValue={(blockedEmails) => set({ blockedEmails })}
                {...fieldProps('blockedEmails')}
              />
            </Group>
            <FraudSimulation merchantId={merchantId} changes={draft.changes} />
          </>
        );
      }}
    </SectionForm>
  );
}

interface AmountsByCurrencyProps {
  readonly value: Readonly<Record<string, number>>;
  readonly onValue: (value: Record<string, number>) => void;
  readonly fault: string | undefined;
  readonly isReadOnly: boolean;
}

/** Returns the problem of a currency with two limits, of which only one would count. */
function amountProblems(
  { maxAmount, maxAmountCurrency, maxAmountByCurrency }: FraudSettings,
  ownCurrency: string,
): { readonly maxAmountByCurrency?: string } {
  const codes = Object.keys(maxAmountByCurrency).map((code) => code.toUpperCase());
  const repeated = codes.find((code, index) => codes.indexOf(code) < index);
  if (repeated !== undefined)
    return { maxAmountByCurrency: t('{{currency}} has two amounts. Enter one per currency.', { currency: repeated }) };
  const own = maxAmountCurrency ?? ownCurrency;
  if (maxAmount === null || !codes.includes(own)) return {};
  return { maxAmountByCurrency: t('{{currency}} is the currency of the max amount. Remove it here.', { currency: own }) };
}

/**
 * Amounts of other currencies. One that is not complete is sent with the amount 0, which the service refuses with its name. A second
 * amount of a currency is kept under its code in lower case, so that its problem is found.
 */
function AmountsByCurrency({ value, onValue, ...field }: AmountsByCurrencyProps) {
  const textsOf = (amounts: AmountsByCurrencyProps['value']) => Object.entries(amounts).map(([code, amount]) => `${code} ${amount}`);
  return (
    <ValueListField
      {...field}
      label={SETTING_NAMES.fraud.maxAmountByCurrency}
      help={t('Such as EUR 500. While there is a max amount, payments in currencies that are not listed are declined.')}
      value={textsOf(value)}
      normalize={(texts) => textsOf(amountsOf(texts))}
      onValue={(texts) => onValue(amountsOf(texts))}
    />
  );
}

function amountsOf(texts: readonly string[]): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const text of texts) {
    const [code = '', amount = ''] = text.split(/[\s:=]+/);
    const name = code.toUpperCase();
    amounts[Object.hasOwn(amounts, name) ? name.toLowerCase() : name] = Number(amount) || 0;
  }
  return amounts;
}

/** Number of last week's sales that the rules of the form would have declined. */
function FraudSimulation({ merchantId, changes }: { merchantId: string; changes: object }) {
  const simulation = useMutation({ mutationFn: () => simulateFraudRules(merchantId, changes) });
  const { data } = simulation;
  return (
    <Box sx={{ display: 'grid', gap: 2, borderTop: 1, borderColor: 'divider', pt: 4 }}>
      <Box>
        <Button variant="outlined" loading={simulation.isPending} onClick={() => simulation.mutate()}>
          {t('Test on last week’s sales')}
        </Button>
      </Box>
      {simulation.error && <FailureNote failure={simulation.error} />}
      {data && (
        <Box role="status" sx={{ fontSize: 14 }}>
          {t('{{declined}} of {{examined}} approved sales would have been declined.', {
            declined: data.stopped,
            examined: data.examined,
          })}
          <Box component="ul" sx={{ m: 0, paddingInlineStart: 5, color: 'text.secondary', fontSize: 13 }}>
            {Object.entries(data.byRule).map(([rule, count]) => (
              <li key={rule}>{DECLINES_BY_RULE[rule]?.(count) ?? t('{{count, number}} by {{rule}}', { count, rule })}</li>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  );
}
