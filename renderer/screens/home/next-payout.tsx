import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Trans, t } from '#renderer/base/language';
import { MoneyText, QueryContent, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { moneyText } from '#renderer/shared/reporting';
import { Panel } from './panel.tsx';
import { payoutQuery } from './queries.ts';

/** Amount on its way to the bank, settled amount that the next payout can pay, and the next settlement. */
export function NextPayout() {
  const { merchantId, timezone } = useMerchant();
  const query = useQuery(payoutQuery(merchantId));
  return (
    <Panel
      title={t('Next payout')}
      link={
        <MuiLink component={Link} to="/settlement" sx={{ fontSize: 13 }}>
          {t('Settlement')}
        </MuiLink>
      }
    >
      <QueryContent query={query}>
        {({ settledUnpaid, inTransit, unsettled, currency, nextCutoffAt }) => (
          <>
            {inTransit.amount === 0 ? (
              <Amount amount={settledUnpaid.amount} currency={currency} label={t('Settled, waiting for a payout')} />
            ) : (
              <>
                <Amount amount={inTransit.amount} currency={currency} label={t('On its way to the bank')} />
                {settledUnpaid.amount !== 0 && (
                  <Box sx={{ fontSize: 13 }}>
                    {t('{{amount}} settled, waiting for a payout', { amount: moneyText(settledUnpaid.amount, currency) })}
                  </Box>
                )}
              </>
            )}
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
              {nextCutoffAt === null ? (
                t('{{amount}} not settled yet', { amount: moneyText(unsettled.amount, currency) })
              ) : (
                <Trans
                  i18nKey="{{amount}} not settled yet. Next settlement: <0/>"
                  components={[<TimeText key="0" at={nextCutoffAt} timeZone={timezone} />]}
                  values={{ amount: moneyText(unsettled.amount, currency) }}
                />
              )}
            </Box>
          </>
        )}
      </QueryContent>
    </Panel>
  );
}

function Amount({ amount, currency, label }: { amount: number; currency: string; label: string }) {
  return (
    <>
      <Box sx={{ fontSize: 20, fontWeight: 600, lineHeight: '28px' }}>
        <MoneyText amount={amount} currency={currency} code />
      </Box>
      <Box sx={{ fontSize: 13 }}>{label}</Box>
    </>
  );
}
