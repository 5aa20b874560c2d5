import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { SettlementStanding } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { useToday } from '#renderer/tenant-clock';
import { Answer, EmptyNote, exactTime, KeyHint, Screen, SideDrawer, useShortcuts } from '#renderer/ui';
import { BatchDialog } from './batch-dialog.tsx';
import { BatchView } from './batch-view.tsx';
import { FIRST_FIELD } from './columns.tsx';
import { FundingTab } from './funding-tab.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { PayoutView } from './payout-view.tsx';
import { standingQuery } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import { SettlementView } from './settlement-view.tsx';
import { StandingStrip } from './standing-strip.tsx';
import { BatchesTab, HistoryTab, PaidTab, PayoutsTab, UnpaidTab, UnsettledTab } from './tabs.tsx';
import { TABS, type TabId, useView } from './use-view.ts';

/** The table keeps some rows on a small screen; the page scrolls then. */
const TABLE_MIN_PX = 260;

type Asked = 'settle' | 'payout' | 'batch' | 'schedule';

/** Settlement: unsettled amounts, settlements, and payouts to the bank. */
export function SettlementScreen() {
  const merchant = useMerchant();
  const may = useMay();
  const navigate = useNavigate();
  const { openId } = useParams();
  const view = useView();
  const grid = useGridApiRef();
  const today = useToday();
  const standing = useQuery(standingQuery(merchant.merchantId));
  const [asked, setAsked] = useState<Asked>();
  const canWrite = may('settlement:write');
  const canSeeUnsettled = may('transactions:read') && may('refunds:read');
  const { search, tab } = view;
  const open = (id: string) => void navigate({ pathname: `/settlement/${id}`, search });
  const close = () => void navigate({ pathname: '/settlement', search });
  const still = () => setAsked(undefined);
  useShortcuts(
    'Settlement',
    canWrite
      ? [
          { keys: 'S', label: 'Settle now', run: () => setAsked('settle') },
          { keys: 'O', label: 'Pay out', run: () => setAsked('payout') },
          { keys: 'B', label: 'New batch', run: () => setAsked('batch') },
        ]
      : [],
  );
  const tabProps = { view, grid, openId, onOpen: open };
  const openBatch = () => setAsked('batch');

  return (
    <Screen
      title="Settlement"
      isFilling
      facts="What was taken, on its way to your bank."
      actions={
        canWrite && (
          <>
            <Button onClick={() => setAsked('settle')} endIcon={<KeyHint keys="S" />} aria-keyshortcuts="S">
              Settle now
            </Button>
            <Button onClick={openBatch} endIcon={<KeyHint keys="B" />} aria-keyshortcuts="B">
              New batch
            </Button>
            <Button
              variant="contained"
              color="primary"
              onClick={() => setAsked('payout')}
              endIcon={<KeyHint keys="O" />}
              aria-keyshortcuts="O"
            >
              Pay out
            </Button>
          </>
        )
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <Answer of={standing}>
          {(data) => (
            <StandingStrip standing={data} canSeeUnsettled={canSeeUnsettled} onChange={canWrite ? () => setAsked('schedule') : undefined} />
          )}
        </Answer>
        <Tabs
          value={tab}
          onChange={(_, next: TabId) => view.change({ tab: next, isNarrowed: false })}
          variant="scrollable"
          scrollButtons={false}
          aria-label="What is shown"
          sx={{ flexShrink: 0 }}
        >
          {TABS.filter(({ id }) => id !== 'unsettled' || canSeeUnsettled).map(({ id, name }) => (
            <Tab key={id} value={id} label={name} />
          ))}
        </Tabs>
        <Box sx={{ flex: 1, minHeight: TABLE_MIN_PX, display: 'flex', flexDirection: 'column', gap: 3 }}>
          {tab === 'history' && !view.isNarrowed && (
            <HistoryTab
              {...tabProps}
              empty={<NoSettlements standing={standing.data} onSettle={canWrite ? () => setAsked('settle') : undefined} />}
            />
          )}
          {tab === 'history' && view.isNarrowed && standing.data && <UnpaidTab {...tabProps} standing={standing.data} />}
          {tab === 'payouts' && view.isNarrowed && standing.data && <PaidTab {...tabProps} standing={standing.data} />}
          {tab === 'payouts' && !view.isNarrowed && <PayoutsTab {...tabProps} />}
          {tab === 'batches' && <BatchesTab {...tabProps} onNew={canWrite ? openBatch : undefined} />}
          {tab === 'unsettled' && canSeeUnsettled && standing.data && <UnsettledTab view={view} grid={grid} standing={standing.data} />}
          {tab === 'funding' && <FundingTab {...tabProps} today={today} />}
        </Box>
      </Box>
      <SideDrawer
        label={nameOf(openId)}
        openId={openId}
        onClose={close}
        onClosed={(id) => {
          // A dialog that was opened in the meantime keeps the focus.
          if (asked === undefined && !document.activeElement?.closest('main')) grid.current?.getCellElement(id, FIRST_FIELD)?.focus();
        }}
      >
        {(id, isOpen) => {
          const props = { id, takesFocus: isOpen, search };
          if (id.startsWith('pay_')) return <PayoutView {...props} />;
          return id.startsWith('bat_') ? <BatchView {...props} /> : <SettlementView {...props} />;
        }}
      </SideDrawer>
      {asked === 'schedule' && <ScheduleDialog onClose={still} />}
      {asked === 'settle' && standing.data && (
        <SettleDialog
          standing={standing.data}
          onClose={still}
          onSettled={([first]) => {
            still();
            if (first) void navigate({ pathname: `/settlement/${first.settlementId}` });
          }}
        />
      )}
      {asked === 'payout' && standing.data && (
        <PayoutDialog
          currency={standing.data.currency}
          unpaid={standing.data.settledUnpaid.amount}
          onClose={still}
          onOpen={(id) => {
            still();
            void navigate({ pathname: `/settlement/${id}`, search: '?tab=payouts' });
          }}
        />
      )}
      {asked === 'batch' && (
        <BatchDialog
          today={today}
          onClose={still}
          onMade={({ batchId }) => {
            still();
            void navigate({ pathname: `/settlement/${batchId}`, search: '?tab=batches' });
          }}
        />
      )}
    </Screen>
  );
}

/** Title of the open record by its ID. */
function nameOf(id: string | undefined): string {
  if (id?.startsWith('pay_')) return 'Payout';
  return id?.startsWith('bat_') ? 'Batch' : 'Settlement';
}

/** Explains cutoffs if there are no settlements yet. */
function NoSettlements({ standing, onSettle }: { standing: SettlementStanding | undefined; onSettle: (() => void) | undefined }) {
  const { timezone } = useMerchant();
  const next = standing?.nextCutoffAt;
  return (
    <EmptyNote title="No settlements yet" action={onSettle && <Button onClick={onSettle}>Settle now</Button>}>
      At each cutoff, what was captured and refunded before it becomes one settlement: captures less refunds less fees is what goes to your
      bank. {next ? `The next cutoff is ${exactTime(next, timezone)}.` : 'Your schedule has no cutoff: settle by hand when you want to.'}
    </EmptyNote>
  );
}
