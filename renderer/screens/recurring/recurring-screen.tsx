import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Subscription, SubscriptionSummary } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { writeMoney } from '#renderer/money';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, announce, EmptyNote, KeyHint, Screen, SideDrawer, useShortcuts } from '#renderer/ui';
import { columnsFor, FIRST_FIELD } from './columns.tsx';
import { NewPlanDialog } from './new-plan-dialog.tsx';
import { PlanView } from './plan-view.tsx';
import { PAGE_SIZE, plansQuery, refreshRecurring, summaryQuery } from './queries.ts';
import { outcomeText } from './standing.ts';
import { useView, type View } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';
import { counted } from './words.ts';

/** Subscriptions: upcoming and failed payments, with the actions. */
export function RecurringScreen() {
  const merchant = useMerchant();
  const may = useMay();
  const navigate = useNavigate();
  const { subscriptionId } = useParams();
  const view = useView();
  const grid = useGridApiRef();
  const list = useQuery(plansQuery(merchant.merchantId, view));
  const summary = useQuery(summaryQuery(merchant.merchantId));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  const canCreate = may('recurring:write') && may('customers:read');
  const { search } = view;
  const open = (id: string) => void navigate({ pathname: `/recurring/${id}`, search });
  const close = () => void navigate({ pathname: '/recurring', search });
  const openNew = () => void navigate({ pathname: '/recurring', search: `${search === '' ? '?' : `${search}&`}new=1` });
  const made = (plan: Subscription) => {
    void refreshRecurring();
    announce(outcomeText(plan, merchant.timezone));
    open(plan.subscriptionId);
  };
  const intoRows = () => {
    const first = list.data?.items[0];
    if (first) grid.current?.setCellFocus(first.subscriptionId, FIRST_FIELD);
  };
  useShortcuts('Recurring', canCreate ? [{ keys: 'N', label: 'New plan', run: openNew }] : []);

  return (
    <Screen
      title="Recurring"
      isFilling
      facts={factsOf(summary.data)}
      actions={
        canCreate && (
          <Button variant="contained" color="primary" onClick={openNew} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
            New plan
          </Button>
        )
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <ViewBar view={view} summary={summary.data} onDown={intoRows} />
        <Answer
          of={list}
          skeleton={<Box sx={{ flex: 1 }} />}
          isEmpty={({ total }) => total === 0}
          empty={<Nothing view={view} canCreate={canCreate} onNew={openNew} onClear={() => view.change({ q: '' })} />}
        >
          {(data) => (
            <DataTable
              label="Plans"
              apiRef={grid}
              rows={data.items}
              columns={columns}
              getRowId={(row) => row.subscriptionId}
              getRowClassName={({ row }) => (row.subscriptionId === subscriptionId ? 'is-open' : '')}
              total={data.total}
              page={view.page}
              pageSize={PAGE_SIZE}
              isLoading={list.isPlaceholderData}
              onPage={(page) => view.change({ page })}
              onOpen={(row) => open(row.subscriptionId)}
              empty={null}
            />
          )}
        </Answer>
      </Box>
      {view.isNewOpen && canCreate && subscriptionId === undefined && (
        <NewPlanDialog customerId={view.newFor} onMade={made} onClose={close} />
      )}
      <SideDrawer
        label="Recurring plan"
        openId={subscriptionId}
        onClose={close}
        onClosed={(id) => grid.current?.getCellElement(id, FIRST_FIELD)?.focus()}
      >
        {(id, isOpen) => <PlanView planId={id} takesFocus={isOpen} />}
      </SideDrawer>
    </Screen>
  );
}

function factsOf(summary: SubscriptionSummary | undefined): string {
  if (summary === undefined) return 'Customers who are billed again and again.';
  const { counts, expected, days } = summary;
  const sums = expected.map(({ amount, currency }) => writeMoney(amount, currency)).join(' and ') || 'nothing';
  return `${counts.active ?? 0} active, ${counts.past_due ?? 0} past due; ${sums} expected in the next ${counted(days, 'day')}`;
}

const EMPTY: Readonly<Record<View['tab'], readonly [title: string, text: string]>> = {
  active: ['No active plans', 'A plan charges a customer by itself, at the dates that you choose.'],
  'past-due': ['Nothing is past due', 'A plan whose payment was declined stands here until it is paid.'],
  paused: ['Nothing is paused', 'A paused plan charges nothing until it is resumed.'],
  ended: ['None yet', 'Plans that were cancelled or came to their end are kept here.'],
  all: ['No plans yet', 'A plan charges a customer by itself, at the dates that you choose.'],
};

interface NothingProps {
  readonly view: View;
  readonly canCreate: boolean;
  readonly onNew: () => void;
  readonly onClear: () => void;
}

function Nothing({ view, canCreate, onNew, onClear }: NothingProps) {
  if (view.q !== '') {
    return (
      <EmptyNote title="No match" action={<Button onClick={onClear}>Clear the search</Button>}>
        No plan here has a customer like “{view.q}”.
      </EmptyNote>
    );
  }
  const [title, text] = EMPTY[view.tab];
  const isStart = view.tab === 'active' || view.tab === 'all';
  return (
    <EmptyNote title={title} action={isStart && canCreate && <Button onClick={onNew}>New plan</Button>}>
      {text}
    </EmptyNote>
  );
}
