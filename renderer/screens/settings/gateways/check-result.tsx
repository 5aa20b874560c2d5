import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { Gateway, GatewayType } from '#renderer/base/client';
import { timeZoneName } from '#renderer/base/dates';
import { serviceText, Trans, t } from '#renderer/base/language';
import { FactList } from '#renderer/kit/ui';
import { holdText } from './texts.ts';

const MARKETS = { ecommerce: t('Internet'), moto: t('Phone and mail'), retail: t('Counter') } as const;

/** Result of the processor's check of a saved account. */
export function CheckResult({ gateway, type }: { gateway: Gateway; type: GatewayType }) {
  const { check, settings } = gateway;
  const processor = type.label;
  if (check === null || settings === null) return <Alert severity="success">{t('Saved.')}</Alert>;
  if (check.state !== 'ok')
    return (
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        <strong>
          {check.state === 'refused' ? t('{{processor}} rejected the account.', { processor }) : t('Saved, but not checked.')}
        </strong>{' '}
        {check.reason ? serviceText(check.reason) : t('{{processor}} didn’t respond.', { processor })}
        <Box sx={{ mt: 1 }}>
          {check.state === 'refused'
            ? t('Payments through this gateway fail until its credentials are correct.')
            : t('The credentials haven’t been verified yet. Check again before the first payment.')}
        </Box>
      </Alert>
    );
  const bank = { true: t('Accepted', { context: 'payments' }), false: t('Not accepted: they skip this gateway'), null: t('Unknown') }[
    String(check.takesBankAccounts)
  ];
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Alert severity="success">
        {check.merchantName ? (
          <Trans
            i18nKey="<0>{{merchant}}</0> is the merchant name at {{processor}}."
            components={[<strong key="0" />]}
            values={{ merchant: check.merchantName, processor }}
          />
        ) : (
          <strong>{t('{{processor}} recognizes the account', { processor })}</strong>
        )}
      </Alert>
      <FactList
        facts={[
          [
            t('Currencies'),
            check.currencies.length > 0
              ? check.currencies.join(', ')
              : t('Unknown; this gateway takes {{currency}}', { currency: settings.currency }),
          ],
          [t('Bank payments'), bank],
          [t('Markets'), check.markets?.map((market) => MARKETS[market]).join(', ')],
          [t('Time zone'), check.timezone && timeZoneName(check.timezone)],
          [t('Captures'), holdText(settings)],
        ]}
      />
    </Box>
  );
}
