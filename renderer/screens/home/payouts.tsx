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

/** The balance: on its way to the bank, settled and awaiting a payout, and not settled yet. */
export function Payouts() {
  const { merchantId, timezone } = useMerchant();
  const query = useQuery(payoutQuery(merchantId));
  return (
    <Panel
      title={t('Payouts')}
      link={
        <MuiLink component={Link} to="/settlement" sx={{ fontSize: 13 }}>
          {t('All payouts')}
        </MuiLink>
      }
    >
      <QueryContent query={query}>
        {({ settledUnpaid, inTransit, unsettled, currency, nextCutoffAt }) => {
          const parts = [
            { name: t('On its way to the bank'), amount: inTransit.amount, shade: 1 },
            { name: t('Awaiting payout'), amount: settledUnpaid.amount, shade: 0.55 },
            { name: t('Unsettled'), amount: unsettled.amount, shade: 0.2 },
          ];
          const whole = parts.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
          return (
            <>
              <Box sx={{ fontSize: 20, fontWeight: 600, lineHeight: '28px' }}>
                <MoneyText amount={parts.reduce((sum, { amount }) => sum + amount, 0)} currency={currency} code />
              </Box>
              <Box aria-hidden sx={{ display: 'flex', height: 8, my: 2, borderRadius: 1, overflow: 'hidden', backgroundColor: 'wash' }}>
                {parts.map(({ name, amount, shade }) => (
                  <Box
                    key={name}
                    sx={{
                      width: whole === 0 ? 0 : `${(Math.max(0, amount) / whole) * 100}%`,
                      backgroundColor: 'primary.main',
                      opacity: shade,
                    }}
                  />
                ))}
              </Box>
              <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: 0.5, fontSize: 13 }}>
                {parts.map(({ name, amount }) => (
                  <Box key={name} sx={{ display: 'contents' }}>
                    <Box component="dt" sx={{ color: 'text.secondary' }}>
                      {name}
                    </Box>
                    <Box component="dd" sx={{ m: 0, textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>
                      {moneyText(amount, currency)}
                    </Box>
                  </Box>
                ))}
              </Box>
              {nextCutoffAt !== null && (
                <Box sx={{ pt: 2, fontSize: 12, color: 'text.secondary' }}>
                  <Trans i18nKey="Next settlement: <0/>" components={[<TimeText key="0" at={nextCutoffAt} timeZone={timezone} />]} />
                </Box>
              )}
            </>
          );
        }}
      </QueryContent>
    </Panel>
  );
}
