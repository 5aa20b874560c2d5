import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Trans, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { MoneyText, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { paidWith } from '#renderer/shared/receipt';
import { Panel } from './panel.tsx';
import { expiringAuthorizationsQuery } from './queries.ts';

const SHOWN = 5;

/** Open authorizations that expire within two days, each with its two ways out. Nothing is shown while there are none. */
export function ExpiringAuthorizations() {
  const { merchantId, timezone } = useMerchant();
  const may = useMay();
  const { data = [] } = useQuery(expiringAuthorizationsQuery(merchantId));
  if (data.length === 0) return null;
  return (
    <Panel title={t('Authorizations that expire soon')}>
      <Box component="ul" aria-label={t('Authorizations that expire soon')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.slice(0, SHOWN).map((authorization) => {
          const { transactionId, amount, currency, customer, authorizationExpiresAt } = authorization;
          const name = `${writeMoney(amount, currency)}, ${customer?.name ?? paidWith(authorization)}`;
          return (
            <Box component="li" key={transactionId} sx={LINE}>
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <MuiLink component={Link} to={`/transactions/${transactionId}`}>
                  {customer?.name ?? paidWith(authorization)}
                </MuiLink>
                <Box sx={{ color: 'text.secondary' }}>
                  <Trans i18nKey="Expires <0/>" components={[<TimeText key="0" at={authorizationExpiresAt} timeZone={timezone} />]} />
                </Box>
              </Box>
              <MoneyText amount={amount} currency={currency} sx={{ fontWeight: 550 }} />
              {may('transactions:write') &&
                (['capture', 'void'] as const).map((action) => (
                  <Button
                    key={action}
                    size="small"
                    component={Link}
                    to={`/transactions/${transactionId}`}
                    state={{ action }}
                    aria-label={`${LABELS[action]}: ${name}`}
                  >
                    {LABELS[action]}
                  </Button>
                ))}
            </Box>
          );
        })}
      </Box>
      {data.length > SHOWN && (
        <Box sx={{ pt: 2, fontSize: 13, color: 'text.secondary' }}>
          {t('{{count}} more expire within two days.', { count: data.length - SHOWN })}
        </Box>
      )}
    </Panel>
  );
}

const LABELS = { capture: t('Capture', { context: 'verb' }), void: t('Void', { context: 'verb' }) } as const;

const LINE = {
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  py: 1.5,
  fontSize: 13,
  borderTop: 1,
  borderColor: 'divider',
  '&:first-of-type': { borderTop: 0 },
} as const;
