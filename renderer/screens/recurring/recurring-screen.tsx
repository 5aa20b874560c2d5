import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Subscription, SubscriptionSummary } from '#renderer/base/client';
import { locale, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordList } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { announce, EmptyState, Screen } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { columnsFor } from './columns.tsx';
import { NewSubscriptionDialog } from './new-subscription-dialog.tsx';
import { SectionTabs } from './plans-tab.tsx';
import { refreshRecurring, SORTS, subscriptionsQuery, summaryQuery } from './queries.ts';
import { outcomeText } from './status-note.ts';
import { SubscriptionView } from './subscription-view.tsx';
import { useView, type View } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['lastResult', 'planId'];

/** Subscriptions: upcoming and failed payments, with the actions. */
export function RecurringScreen() {
  const merchant = useMerchant();
  const may = useMay();
  const navigate = useNavigate();
  const view = useView();
  const list = useQuery(subscriptionsQuery(merchant.merchantId, view));
  const summary = useQuery(summaryQuery(merchant.merchantId));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  const canCreate = may('recurring:write') && may('customers:read');
  const { search } = view;
  const { openId: subscriptionId, open, close, panel } = useRecordAddress('/recurring', search);
  const openNew = () => void navigate({ pathname: '/recurring', search: `${search === '' ? '?' : `${search}&`}new=1` });
  const onCreated = (subscription: Subscription) => {
    void refreshRecurring();
    announce(outcomeText(subscription, merchant.timezone));
    open(subscription.subscriptionId);
  };

  return (
    <Screen
      title={t('Subscriptions')}
      fillsHeight
      subtitle={factsOf(summary.data)}
      actions={
        <PageActions
          group={t('Subscriptions')}
          actions={[...(canCreate ? [{ keys: 'N', label: t('New subscription'), run: openNew }] : [])]}
        >
          <SavedViews />
        </PageActions>
      }
    >
      <SectionTabs section="subscriptions" />
      <ViewBar view={view} summary={summary.data} />
      <RecordList
        list="Subscriptions"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Subscriptions')}
        columns={columns}
        idOf={(row) => row.subscriptionId}
        page={view.page}
        sort={{ allowed: SORTS, value: view.sort, onSort: (sort) => view.change({ sort }) }}
        onPage={(page) => view.change({ page })}
        openId={subscriptionId}
        onOpen={(row) => open(row.subscriptionId)}
        empty={<EmptyList view={view} canCreate={canCreate} onNew={openNew} onClear={() => view.change({ q: '' })} />}
      />
      {view.isNewOpen && canCreate && subscriptionId === undefined && (
        <NewSubscriptionDialog customerId={view.newFor} onCreated={onCreated} onClose={close} />
      )}
      <RecordPanel label={t('Subscription')} {...panel}>
        {(id, isOpen) => <SubscriptionView subscriptionId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

function factsOf(summary: SubscriptionSummary | undefined): string {
  if (summary === undefined) return t('Charge customers automatically on a schedule.');
  const { counts, expected, days } = summary;
  const sums = expected.map(({ amount, currency }) => writeMoney(amount, currency));
  const statuses = [
    t('{{count, number}} active', { count: counts.active ?? 0 }),
    t('{{count, number}} past due', { count: counts.past_due ?? 0 }),
  ].join(', ');
  const expectedText =
    sums.length === 0
      ? t('nothing expected in the next {{count, number}} days', { count: days })
      : t('{{amounts}} expected in the next {{count, number}} days', {
          amounts: new Intl.ListFormat(locale()).format(sums),
          count: days,
        });
  return `${statuses}; ${expectedText}`;
}

const EMPTY_TEXTS: Readonly<Record<View['tab'], readonly [title: string, text: string]>> = {
  active: [t('No active subscriptions'), t('Charge a customer automatically on a schedule.')],
  'past-due': [t('No past-due subscriptions'), t('Subscriptions with a declined payment appear here until they are paid.')],
  paused: [t('No paused subscriptions'), t('A paused subscription charges nothing until you resume it.')],
  ended: [t('No ended subscriptions'), t('Canceled and expired subscriptions appear here.')],
  all: [t('No subscriptions yet'), t('Charge a customer automatically on a schedule.')],
};

interface EmptyListProps {
  readonly view: View;
  readonly canCreate: boolean;
  readonly onNew: () => void;
  readonly onClear: () => void;
}

function EmptyList({ view, canCreate, onNew, onClear }: EmptyListProps) {
  if (view.q !== '') {
    return (
      <EmptyState title={t('No match')} action={<Button onClick={onClear}>{t('Clear search')}</Button>}>
        {t('No customer with a subscription in this list matches “{{q}}”.', { q: view.q })}
      </EmptyState>
    );
  }
  const [title, text] = EMPTY_TEXTS[view.tab];
  const offersNew = view.tab === 'active' || view.tab === 'all';
  return (
    <EmptyState title={title} action={offersNew && canCreate && <Button onClick={onNew}>{t('New subscription')}</Button>}>
      {text}
    </EmptyState>
  );
}
