import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useMerchant } from '#renderer/session';
import { FailureNote } from '#renderer/ui';
import { CheckboxGroup, Group, LinesSetting, NumberSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { type FraudSettings, simulateFraudRules } from './sections.ts';
import type { Draft } from './use-draft.ts';

const AVS = [
  ['N', 'Neither the street nor the ZIP matches'],
  ['A', 'The ZIP does not match'],
  ['Z', 'The street does not match, or was not sent'],
] as const;
const CVV = [
  ['N', 'The CVV does not match'],
  ['U', 'The bank cannot check the CVV'],
  ['P', 'The CVV was not checked'],
] as const;
/** Results that decline good cards. They can be set through the API only, and are listed while they are set. */
const AVS_MATCH = ['Y', 'Street and ZIP match (declines good cards)'] as const;
const CVV_MATCH = ['M', 'The CVV matches (declines good cards)'] as const;
const RULES: Readonly<Record<string, string>> = {
  maxAmount: 'maximum amount',
  blockedBins: 'blocked cards',
  blockedEmails: 'blocked email addresses',
  maxPerCardPerHour: 'payments per card in an hour',
  duplicateWindowSeconds: 'duplicate window',
  declineOnAvs: 'address check',
  declineOnCvv: 'security code check',
};

/** Fraud rules of the merchant, in addition to those of its gateway. */
export function FraudTab({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="fraud">
      {(draft: Draft<FraudSettings>, isReadOnly) => {
        const { values, set } = draft;
        const fieldProps = (field: keyof FraudSettings & string) => ({ fault: draft.faultOf(field), isReadOnly });
        return (
          <>
            <Group title="Checks of the gateway">
              <CheckboxGroup
                label="Decline when, by the address check"
                value={values.declineOnAvs}
                options={values.declineOnAvs.includes('Y') ? [...AVS, AVS_MATCH] : AVS}
                onValue={(declineOnAvs) => set({ declineOnAvs })}
                {...fieldProps('declineOnAvs')}
              />
              <CheckboxGroup
                label="Decline when, by the security code check"
                value={values.declineOnCvv}
                options={values.declineOnCvv.includes('M') ? [...CVV, CVV_MATCH] : CVV}
                onValue={(declineOnCvv) => set({ declineOnCvv })}
                {...fieldProps('declineOnCvv')}
                help="Approved payments that fail are voided automatically."
              />
            </Group>
            <Group title="Limits" columns={2}>
              <NumberSetting
                label="Max amount (no limit if blank)"
                unit={currency}
                value={values.maxAmount}
                onValue={(maxAmount) => set({ maxAmount })}
                {...fieldProps('maxAmount')}
              />
              <NumberSetting
                label="Max payments per card per hour (no limit if blank)"
                value={values.maxPerCardPerHour}
                onValue={(maxPerCardPerHour) => set({ maxPerCardPerHour })}
                {...fieldProps('maxPerCardPerHour')}
              />
              <NumberSetting
                label="Duplicate window"
                unit="seconds"
                help="0 turns it off. A repeat of the same card and amount within the window is rejected, not charged."
                value={values.duplicateWindowSeconds}
                onValue={(seconds) => set({ duplicateWindowSeconds: seconds ?? 0 })}
                {...fieldProps('duplicateWindowSeconds')}
              />
            </Group>
            <Group title="Blocked" columns={2}>
              <LinesSetting
                label="Cards starting with"
                help="Four to eight digits, one per line"
                value={values.blockedBins}
                onValue={(blockedBins) => set({ blockedBins })}
                {...fieldProps('blockedBins')}
              />
              <LinesSetting
                label="Email addresses"
                help="One per line; @example.com blocks a whole domain"
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

/** Number of last week's sales that the rules of the form would have declined. */
function FraudSimulation({ merchantId, changes }: { merchantId: string; changes: object }) {
  const simulation = useMutation({ mutationFn: () => simulateFraudRules(merchantId, changes) });
  const { data } = simulation;
  return (
    <Box sx={{ display: 'grid', gap: 2, borderTop: 1, borderColor: 'divider', pt: 4 }}>
      <Box>
        <Button variant="outlined" loading={simulation.isPending} onClick={() => simulation.mutate()}>
          Test on last week’s sales
        </Button>
      </Box>
      {simulation.error && <FailureNote failure={simulation.error} />}
      {data && (
        <Box role="status" sx={{ fontSize: 14 }}>
          {data.stopped} of {data.examined} approved sales would have been declined.
          <Box component="ul" sx={{ m: 0, pl: 5, color: 'text.secondary', fontSize: 13 }}>
            {Object.entries(data.byRule).map(([rule, count]) => (
              <li key={rule}>
                {count} by {RULES[rule] ?? rule}
              </li>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  );
}
