import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { Gateway, GatewayType } from '#renderer/client';
import { FactList } from '#renderer/ui';
import { holdWords } from './words.ts';

/** Result of the processor's check of a saved account. */
export function CheckResult({ gateway, type }: { gateway: Gateway; type: GatewayType }) {
  const { check, settings } = gateway;
  if (check === null || settings === null) return <Alert severity="success">Saved.</Alert>;
  if (check.state !== 'ok')
    return (
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        <strong>{check.state === 'refused' ? `${type.label} refuses the account.` : 'Saved, but not checked.'}</strong>{' '}
        {check.reason ?? `${type.label} gave no answer.`}
        <Box sx={{ mt: 1 }}>
          {check.state === 'refused'
            ? 'Payments through it will fail until its credentials are right.'
            : 'Whether the credentials are right is not known yet. Check again before the first payment.'}
        </Box>
      </Alert>
    );
  const bank = { true: 'Taken', false: 'Not taken: they pass this gateway over', null: 'Not said' }[String(check.takesBankAccounts)];
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Alert severity="success">
        <strong>{check.merchantName || `${type.label} knows the account`}</strong>
        {check.merchantName && ` is the merchant, says ${type.label}.`}
      </Alert>
      <FactList
        facts={[
          ['Currencies', check.currencies.length > 0 ? check.currencies.join(', ') : `Not said; it takes ${settings.currency} here`],
          ['Bank payments', bank],
          ['Its time zone', check.timezone?.replaceAll('_', ' ')],
          ['Captures', holdWords(settings)],
        ]}
      />
    </Box>
  );
}
