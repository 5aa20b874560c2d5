import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DailySummary } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { actorText, MoneyText } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { drawerSums, shiftCounts, shiftPaymentSums } from './drawer-sums.ts';

/** Shifts of a day: the sums of all drawers, each closed shift with its variance, and the payments by shift. Empty without shifts. */
export function DrawersOfDay({ summary }: { summary: DailySummary }) {
  const { currency, shifts } = summary;
  const sums = drawerSums(summary);
  const paymentSums = shiftPaymentSums(summary);
  return (
    <>
      {sums.length > 0 && (
        <Section title={t('Cash drawers')} detail={`, ${currency}. ${t('Shifts: {{shifts}}', { shifts: shiftCounts(summary) })}`}>
          <SumList sums={sums} currency={currency} />
          {shifts.closed.map(({ shiftId, zNumber, drawer, closedBy, countedAmount, varianceAmount, cardsAmount }) => (
            <Row key={shiftId}>
              <span>
                <ShiftLink shiftId={shiftId}>{t('Z report {{number}}', { number: zNumber })}</ShiftLink>
                {` · ${drawer} · ${actorText(closedBy)}`}
              </span>
              <span>
                <Figure name={t('Cards')} amount={cardsAmount} currency={currency} />
              </span>
              <Figure name={t('Counted')} amount={countedAmount} currency={currency} />
              <Figure name={t('Variance')} amount={varianceAmount} currency={currency} isStrong />
            </Row>
          ))}
        </Section>
      )}
      {paymentSums.length > 0 && (
        <Section title={t('Payments by shift')} detail={`, ${currency}`}>
          <SumList sums={paymentSums} currency={currency} />
          {shifts.payments?.late.map(({ shiftId, zNumber, drawer, openedBy, amount }) => (
            <Row key={shiftId}>
              <span>
                <Trans
                  i18nKey="After the close of <0>Z report {{number}}</0>"
                  components={[<ShiftLink key="0" shiftId={shiftId} />]}
                  values={{ number: zNumber }}
                />
                {` · ${drawer} · ${actorText(openedBy)}`}
              </span>
              <span />
              <span />
              <MoneyText amount={amount} currency={currency} sx={{ fontWeight: 600 }} />
            </Row>
          ))}
        </Section>
      )}
    </>
  );
}

function Section({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ fontSize: 13 }}>
      <Typography variant="h3" id={id} sx={{ mb: 1.5 }}>
        {title}
        <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
          {detail}
        </Box>
      </Typography>
      {children}
    </Box>
  );
}

function SumList({ sums, currency }: { sums: ReturnType<typeof drawerSums>; currency: string }) {
  return (
    <Box
      component="dl"
      sx={(theme) => ({
        m: 0,
        py: 2,
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 8,
        rowGap: 2,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      {sums.map(([name, amount]) => (
        <Box key={name}>
          <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, fontWeight: 600 }}>
            <MoneyText amount={amount} currency={currency} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Row({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
        columnGap: 6,
        py: 1.5,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      {children}
    </Box>
  );
}

function Figure({ name, amount, currency, isStrong = false }: { name: string; amount: number; currency: string; isStrong?: boolean }) {
  return (
    <span>
      {name} <MoneyText amount={amount} currency={currency} sx={{ fontWeight: isStrong ? 600 : 400 }} />
    </span>
  );
}

/** A link to a shift, for people who may see it. */
function ShiftLink({ shiftId, children }: { shiftId: string; children?: ReactNode }) {
  if (!useMay()('shifts:read')) return children;
  return (
    <Link component={RouterLink} to={`/cash/${shiftId}?tab=shifts`}>
      {children}
    </Link>
  );
}
