import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, Section, SelectField } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { LANGUAGE_CODES, LANGUAGES } from '#shared/languages';
import { chooseLateFees, chooseReminders, lateFeeChoiceQuery, reminderChoiceQuery } from './queries.ts';

/** Choices for a customer about reminders and late fees of unpaid invoices. */
export function ReminderChoice({ customerId, isLoadingEnabled }: { customerId: string; isLoadingEnabled: boolean }) {
  const canChange = useMay()('invoices:write');
  const query = reminderChoiceQuery(customerId);
  const choice = useQuery({ ...query, enabled: isLoadingEnabled });
  const change = useMutation({
    mutationFn: (body: Parameters<typeof chooseReminders>[1]) => chooseReminders(customerId, body),
    onSuccess: (changed) => queryClient.setQueryData(query.queryKey, changed),
  });
  const feeQuery = lateFeeChoiceQuery(customerId);
  const fees = useQuery({ ...feeQuery, enabled: isLoadingEnabled });
  const changeFees = useMutation({
    mutationFn: (isOn: boolean) => chooseLateFees(customerId, isOn),
    onSuccess: (changed) => queryClient.setQueryData(feeQuery.queryKey, changed),
  });
  if (!choice.data) return null;
  const { enabled, language } = choice.data;
  return (
    <Section title={t('Unpaid invoices')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, alignItems: 'flex-end' }}>
        <FormControlLabel
          control={
            <Switch checked={enabled} disabled={!canChange || change.isPending} onChange={(_, next) => change.mutate({ enabled: next })} />
          }
          label={t('Gets reminders of unpaid invoices')}
        />
        {fees.data && (
          <FormControlLabel
            control={
              <Switch
                checked={fees.data.enabled}
                disabled={!canChange || changeFees.isPending}
                onChange={(_, next) => changeFees.mutate(next)}
              />
            }
            label={t('Is charged late fees')}
          />
        )}
        <SelectField
          id="customer-reminder-language"
          label={t('Language of reminders')}
          value={language ?? ''}
          disabled={!canChange || change.isPending}
          options={[['', t('As for all payers')], ...LANGUAGE_CODES.map((code) => [code, LANGUAGES[code]] as const)]}
          onChange={(value) => change.mutate({ language: value === '' ? null : value })}
          sx={{ minWidth: 220 }}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        />
      </Box>
      {change.error && <FailureNote failure={change.error} />}
      {changeFees.error && <FailureNote failure={changeFees.error} />}
    </Section>
  );
}
