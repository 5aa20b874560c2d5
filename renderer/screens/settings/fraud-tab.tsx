import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { FailureNote } from '#renderer/ui';
import { Group, LinesSetting, NumberSetting, SomeOf } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { type FraudSettings, tryFraud } from './sections.ts';
import type { Draft } from './use-draft.ts';

const AVS = [
  ['N', 'No match (N)'],
  ['A', 'Address only (A)'],
  ['Z', 'ZIP only (Z)'],
  ['Y', 'Match (Y)'],
] as const;
const CVV = [
  ['N', 'No match (N)'],
  ['U', 'Unknown (U)'],
  ['P', 'Not processed (P)'],
  ['M', 'Match (M)'],
] as const;
const RULES: Readonly<Record<string, string>> = {
  maxAmount: 'largest amount',
  blockedBins: 'blocked cards',
  blockedEmails: 'blocked e-mail addresses',
  maxPerCardPerHour: 'payments per card in an hour',
  duplicateWindowSeconds: 'same card and amount again',
  declineOnAvs: 'address check',
  declineOnCvv: 'security code check',
};

/** Fraud rules of the merchant, in addition to those of its gateway. */
export function FraudTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="fraud">
      {(draft: Draft<FraudSettings>, isReadOnly) => {
        const { values, set } = draft;
        const of = (field: keyof FraudSettings & string) => ({ fault: draft.faultOf(field), isReadOnly });
        return (
          <>
            <Group title="Checks of the gateway">
              <SomeOf
                label="Declined by the address check"
                value={values.declineOnAvs}
                options={AVS}
                onValue={(declineOnAvs) => set({ declineOnAvs })}
                {...of('declineOnAvs')}
              />
              <SomeOf
                label="Declined by the security code"
                value={values.declineOnCvv}
                options={CVV}
                onValue={(declineOnCvv) => set({ declineOnCvv })}
                {...of('declineOnCvv')}
                help="What the gateway had approved already is voided there."
              />
            </Group>
            <Group title="Limits" columns={2}>
              <NumberSetting
                label="Largest amount, empty for none"
                value={values.maxAmount}
                onValue={(maxAmount) => set({ maxAmount })}
                {...of('maxAmount')}
              />
              <NumberSetting
                label="Payments per card in an hour, empty for any"
                value={values.maxPerCardPerHour}
                onValue={(maxPerCardPerHour) => set({ maxPerCardPerHour })}
                {...of('maxPerCardPerHour')}
              />
              <NumberSetting
                label="Same card and amount again within, seconds"
                help="0 is off. Within it a repeat is refused, not charged."
                value={values.duplicateWindowSeconds}
                onValue={(seconds) => set({ duplicateWindowSeconds: seconds ?? 0 })}
                {...of('duplicateWindowSeconds')}
              />
            </Group>
            <Group title="Blocked" columns={2}>
              <LinesSetting
                label="Cards that begin with"
                help="Four to eight digits, one to a line"
                value={values.blockedBins}
                onValue={(blockedBins) => set({ blockedBins })}
                {...of('blockedBins')}
              />
              <LinesSetting
                label="E-mail addresses"
                help="One to a line; @example.com blocks a whole domain"
                value={values.blockedEmails}
                onValue={(blockedEmails) => set({ blockedEmails })}
                {...of('blockedEmails')}
              />
            </Group>
            <Trial merchantId={merchantId} changes={draft.changes} />
          </>
        );
      }}
    </SectionForm>
  );
}

/** Number of last week's sales that the rules of the form would have declined. */
function Trial({ merchantId, changes }: { merchantId: string; changes: object }) {
  const trial = useMutation({ mutationFn: () => tryFraud(merchantId, changes) });
  const { data } = trial;
  return (
    <Box sx={{ display: 'grid', gap: 2, borderTop: 1, borderColor: 'divider', pt: 4 }}>
      <Box>
        <Button variant="outlined" loading={trial.isPending} onClick={() => trial.mutate()}>
          Try on last week's sales
        </Button>
      </Box>
      {trial.error && <FailureNote failure={trial.error} />}
      {data && (
        <Box role="status" sx={{ fontSize: 14 }}>
          {data.stopped} of {data.examined} approved sales would have been stopped.
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
