import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink, useNavigate, useParams } from 'react-router';
import { type ApiFailure, type Merchant, type PeriodClose, requestFile } from '#renderer/base/client';
import { addMonths, monthName } from '#renderer/base/dates';
import { Trans, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { type MonthDay, MonthDays, MonthStrip } from '#renderer/kit/month';
import { PageActions } from '#renderer/kit/record';
import {
  actorText,
  announce,
  ConfirmDialog,
  dayText,
  FailureNote,
  fullTime,
  NOT_PRINTED,
  QueryContent,
  Screen,
  StatusChip,
  useShortcuts,
} from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { GiftCardFigures } from '#renderer/shared/gift-cards';
import { SectionTabs } from '../section-tabs.tsx';
import { FigureDrawer } from './figure-drawer.tsx';
import { FigureTable } from './figure-table.tsx';
import { JournalDialog } from './journal-dialog.tsx';
import { JournalExports } from './journal-exports.tsx';
import { closePeriod, closeQuery, type OpenFigure, periodParams, refreshClose } from './queries.ts';
import { ReopenDialog } from './reopen-dialog.tsx';
import { blockerText, FIGURE_NAMES, SIDE_NAMES } from './texts.ts';

type Day = PeriodClose['days'][number];
const SIDES = [
  ['processor', (status: string) => t('processor {{status}}', { status })],
  ['payouts', (status: string) => t('payouts {{status}}', { status })],
  ['bank', (status: string) => t('bank lines {{status}}', { status })],
] as const;
/** States of a side, the worst first. */
const STATUSES = {
  open: t('open'),
  transit: t('in transit'),
  explained: t('explained'),
  balanced: t('balanced'),
  none: t('nothing'),
} satisfies Record<Day['bank'], string>;
const WORST_FIRST = Object.keys(STATUSES) as readonly Day['bank'][];

/** Returns a day of the close with the worst state of its three sides; its text names all of them. */
function closeDay(day: Day): MonthDay {
  const sides = SIDES.map(([side, nameStatus]) => nameStatus(STATUSES[day[side]]));
  const state = WORST_FIRST.find((each) => SIDES.some(([side]) => day[side] === each)) ?? 'none';
  const date = day.closed ? t('{{day}}, closed', { day: dayText(day.date) }) : dayText(day.date);
  return {
    date: day.date,
    state,
    text: `${date}: ${sides.join(', ')}`,
    isBlank: state === 'none',
    isLocked: day.closed,
    to: `/reconciliation/close/${day.date}`,
  };
}

/** Three-way close of a month or day: own ledger, processor and bank side by side. */
export function CloseScreen() {
  const merchant = useMerchant();
  const { merchantId } = merchant;
  const may = useMay();
  const today = useToday();
  const navigate = useNavigate();
  const { period = addMonths(today.slice(0, 7), -1) } = useParams();
  const month = period.slice(0, 7);
  const isMonth = period === month;
  const [figure, setFigure] = useState<OpenFigure>();
  const [dialog, setDialog] = useState<'close' | 'reopen' | 'journal'>();
  const close = useQuery(closeQuery(merchantId, period));
  const whole = useQuery(closeQuery(merchantId, month));
  const mayClose = may('settlement:write') && close.data?.closed === false;
  const blocker = close.data?.blockers[0];
  const canClose = mayClose && blocker === undefined;
  const canReopen = may('owner:periods') && close.data?.closed === true && isClosedItself(close.data);
  const go = (to: string) => void navigate(`/reconciliation/close/${to}`);
  const name = isMonth ? monthName(month) : dayText(period);
  const closing = useMutation<PeriodClose, ApiFailure, string>({
    mutationFn: (wanted) => closePeriod(merchantId, wanted),
    onSuccess: () => announce(t('{{period}} closed.', { period: name })),
    onSettled: () => {
      setDialog(undefined);
      refreshClose();
    },
  });
  const saving = useMutation({
    mutationFn: async () => {
      const params = new URLSearchParams({ merchantId, ...periodParams(period) });
      saveAs(await (await requestFile(`/api/v1/settlement/close/pdf?${params}`)).blob(), `close-${period}.pdf`);
    },
  });
  const run = () => {
    if (canClose && !closing.isPending) closing.mutate(period);
  };
  const ask = () => setDialog('close');
  const mayExport = may('reporting:write') && may('reporting:export');
  useShortcuts(t('Close', { context: 'period' }), [
    { keys: '[', label: t('Previous month'), run: () => go(addMonths(month, -1)) },
    { keys: ']', label: t('Next month'), run: () => go(addMonths(month, 1)) },
  ]);
  return (
    <Screen
      title={t('Reconciliation')}
      subtitle={t('Close a month or a day when Paydesk, the processor and the bank agree.')}
      filter={
        <Box sx={NOT_PRINTED}>
          <SectionTabs section="close" />
        </Box>
      }
      actions={
        <PageActions
          group={t('Close', { context: 'period' })}
          actions={[
            ...(mayClose
              ? [
                  {
                    keys: 'C',
                    label: t('Close {{period}}', { period: name }),
                    reason: blocker && blockerText(blocker).text,
                    isBusy: closing.isPending,
                    run: ask,
                  },
                ]
              : []),
            ...(canReopen ? [{ label: t('Reopen'), run: () => setDialog('reopen') }] : []),
            { keys: 'P', label: t('Print the close'), run: () => close.data && window.print() },
            { label: t('Save PDF'), isBusy: saving.isPending, run: () => saving.mutate() },
            ...(mayExport ? [{ keys: 'X', label: t('Export journal'), run: () => setDialog('journal') }] : []),
          ]}
        >
          {mayClose && blocker && <BlockerText blocker={blocker} />}
        </PageActions>
      }
    >
      <Box sx={{ display: 'grid', gap: 6 }}>
        <Box sx={NOT_PRINTED}>
          <QueryContent query={whole} skeleton={<Box sx={{ height: 96 }} />}>
            {({ days }) => (
              <MonthStrip month={month} to={`/reconciliation/close/${month}`} isChosen={isMonth} onMonth={(by) => go(addMonths(month, by))}>
                <MonthDays month={month} chosen={period} days={days.map(closeDay)} />
              </MonthStrip>
            )}
          </QueryContent>
        </Box>
        {closing.error && closing.variables === period && <FailureNote failure={closing.error} onRetry={run} />}
        {saving.error && <FailureNote failure={saving.error} />}
        <QueryContent query={close}>{(data) => <Period close={data} name={name} merchant={merchant} onFigure={setFigure} />}</QueryContent>
        {mayExport && (
          <Box sx={NOT_PRINTED}>
            <JournalExports merchantId={merchantId} timezone={merchant.timezone} />
          </Box>
        )}
      </Box>
      <FigureDrawer period={period} figure={figure} onClose={() => setFigure(undefined)} />
      <ConfirmDialog
        title={t('Close {{period}}?', { period: name })}
        isOpen={dialog === 'close'}
        submitLabel={t('Close {{period}}', { period: name })}
        isBusy={closing.isPending}
        onSubmit={run}
        onClose={() => setDialog(undefined)}
      >
        {t('Matches of this period can’t be changed afterwards. Only an owner can reopen it, with a reason.')}
      </ConfirmDialog>
      {dialog === 'reopen' && <ReopenDialog period={period} name={name} onClose={() => setDialog(undefined)} />}
      {dialog === 'journal' && close.data && <JournalDialog close={close.data} onClose={() => setDialog(undefined)} />}
    </Screen>
  );
}

/** Step that is missing before a period can be closed, with a link to its place. */
function BlockerText({ blocker }: { readonly blocker: PeriodClose['blockers'][number] }) {
  const { text, to } = blockerText(blocker);
  if (to === null) return text;
  return (
    <Link component={RouterLink} to={to}>
      {text}
    </Link>
  );
}

/** Returns false for a day that is closed with its month only. */
const isClosedItself = ({ history }: PeriodClose) => history.some(({ state }) => state === 'closed');

interface PeriodProps {
  readonly close: PeriodClose;
  readonly name: string;
  readonly merchant: Pick<Merchant, 'merchantId' | 'name' | 'timezone'>;
  readonly onFigure: (figure: OpenFigure) => void;
}

function Period({ close, name, merchant, onFigure }: PeriodProps) {
  const isReady = close.blockers.length === 0;
  const state = close.closed ? 'closed' : isReady ? 'balanced' : 'open';
  return (
    <Box component="section" aria-label={name} sx={{ display: 'grid', gap: 4 }}>
      <Box sx={{ display: 'none', '@media print': { display: 'block' } }}>{merchant.name}</Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        <Typography variant="h2">{name}</Typography>
        <StatusChip state={state} label={close.closed ? t('Closed') : isReady ? t('Ready to close') : t('Open')} />
      </Box>
      {close.figures.length === 0 ? (
        <Box sx={{ fontSize: 14, color: 'text.secondary' }}>{t('Nothing was settled, paid out or booked by the bank in this period.')}</Box>
      ) : (
        <FigureTable close={close} onOpen={onFigure} />
      )}
      <GiftCardFigures merchantId={merchant.merchantId} startDate={close.startDate} endDate={close.endDate} />
      {close.unrelated.map(({ currency, amount }) => (
        <Box key={currency} sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Bank lines unrelated to payments: {{amount}}. They are not part of the figures.', { amount: writeMoney(amount, currency) })}
        </Box>
      ))}
      {!close.hasBankAccount && (
        <Alert severity="info">
          <Trans
            i18nKey="This merchant has no bank account, so the bank isn’t part of the close. <0>Add a bank account</0>"
            components={[<Link key="0" component={RouterLink} to="/reconciliation/bank" underline="always" />]}
          />
        </Alert>
      )}
      {close.adjustments.length > 0 && (
        <Alert severity="info">
          <strong>{t('Adjustments of closed periods')}</strong>
          <Box component="ul" sx={{ m: 0, paddingInlineStart: 4 }}>
            {close.adjustments.map(({ period, name: figure, side, amount, currency }) => (
              <li key={`${period} ${figure} ${side} ${currency}`}>
                {period}: {FIGURE_NAMES[figure]}, {SIDE_NAMES[side]}, {writeMoney(amount, currency)}
              </li>
            ))}
          </Box>
        </Alert>
      )}
      {!close.closed && !isReady && (
        <Box component="section" aria-label={t('Before closing')}>
          <Typography variant="h3">{t('Before closing')}</Typography>
          <Box component="ul" sx={{ m: 0, mt: 1, paddingInlineStart: 4, fontSize: 14 }}>
            {close.blockers.map((blocker) => (
              <li key={blocker.kind}>
                <BlockerText blocker={blocker} />
              </li>
            ))}
          </Box>
        </Box>
      )}
      {close.history.length > 0 && (
        <Box component="section" aria-label={t('History')} sx={{ fontSize: 13, color: 'text.secondary' }}>
          {close.history.map(({ closedAt, closedBy, reopenedAt, reopenedBy, reason }) => (
            <Box key={closedAt}>
              {t('Closed by {{user}}, {{time}}', { user: actorText(closedBy), time: fullTime(closedAt, merchant.timezone) })}
              {reopenedAt !== null &&
                `. ${t('Reopened by {{user}}, {{time}}: {{reason}}', {
                  user: actorText(reopenedBy ?? ''),
                  time: fullTime(reopenedAt, merchant.timezone),
                  reason: reason ?? '',
                })}`}
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}
