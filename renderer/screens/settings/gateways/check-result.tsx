import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { Gateway, GatewayType } from '#renderer/client';
import { FactList } from '#renderer/ui';
import { holdText } from './texts.ts';

/** Result of the processor's check of a saved account. */
export function CheckResult({ gateway, type }: { gateway: Gateway; type: GatewayType }) {
  const { check, settings } = gateway;
  if (check === null || settings === null) return <Alert severity="success">Saved.</Alert>;
  if (check.state !== 'ok')
    return (
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        <strong>{check.state === 'refused' ? `${type.label} rejected the account.` : 'Saved, but not checked.'}</strong>{' '}
        {check.reason ?? `${type.label} didn’t respond.`}
        <Box sx={{ mt: 1 }}>
          {check.state === 'refused'
            ? 'Payments through this gateway fail until its credentials are correct.'
            : 'The credentials haven’t been verified yet. Check again before the first payment.'}
        </Box>
      </Alert>
    );
  const bank = { true: 'Accepted', false: 'Not accepted: they skip this gateway', null: 'Unknown' }[String(check.takesBankAccounts)];
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Alert severity="success">
        <strong>{check.merchantName || `${type.label} recognizes the account`}</strong>
        {check.merchantName && ` is the merchant name at ${type.label}.`}
      </Alert>
      <FactList
        facts={[
          ['Currencies', check.currencies.length > 0 ? check.currencies.join(', ') : `Unknown; this gateway takes ${settings.currency}`],
          ['Bank payments', bank],
          ['Time zone', check.timezone?.replaceAll('_', ' ')],
          ['Captures', holdText(settings)],
        ]}
      />
    </Box>
  );
}
