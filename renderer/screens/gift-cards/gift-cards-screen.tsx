import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { addressSchema, oneOf, text, useAddress } from '#renderer/base/address';
import type { GiftCard, Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { TabRow } from '#renderer/kit/choices';
import { moneyColumn, RecordList, statusColumn, Totals, textColumn, timeColumn } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { actorText, EmptyState, Screen, SearchBox, showToast } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { CodeNote, cardName, findGiftCard, GiftForm, type Given, giftCardReportQuery, giveGiftCard } from '#renderer/shared/gift-cards';
import { isWholeGiftCardCode } from '#shared/gift-card-code';
import { GiftCardView } from './gift-card-view.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { addToGiftCard, giftCardsQuery, SORTS, TABS } from './queries.ts';

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    TABS[0].id,
  ),
  q: text,
  sort: oneOf(SORTS, '-createdAt'),
});

/** Gift cards and store credit of the merchant, with their balances. */
export function GiftCardsScreen() {
  const merchant = useMerchant();
  const may = useMay();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId, open, panel } = useRecordAddress('/gift-cards', search);
  const tab = TABS.find(({ id }) => id === values.tab) ?? TABS[0];
  const list = useQuery(giftCardsQuery(merchant.merchantId, tab.kind, values));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);
  const [isGiving, setGiving] = useState(false);
  const [given, setGiven] = useState<Given>();
  const [isImporting, setImporting] = useState(false);
  const canGive = may('gift-cards:write');
  const today = useToday();
  const owed = useQuery({
    ...giftCardReportQuery(merchant.merchantId, { startDate: today, endDate: today }, 'day'),
    enabled: may('reporting:read'),
  }).data;
  const finding = useMutation({
    mutationFn: (code: string) => findGiftCard(merchant.merchantId, { code, pin: '' }),
    onSuccess: ({ giftCardId }) => open(giftCardId),
    onError: (failure) => showToast(failure.message),
  });
  const give = () => {
    setGiven(undefined);
    setGiving(true);
  };
  return (
    <Screen
      title={t('Gift cards')}
      fillsHeight
      subtitle={t('Money that you owe to holders of gift cards and store credit.')}
      actions={
        <PageActions
          group={t('Gift cards')}
          actions={[
            ...(canGive ? [{ keys: 'N', label: t('Give gift card'), run: give }] : []),
            ...(may('gift-cards:manage') ? [{ label: t('Import balances'), run: () => setImporting(true) }] : []),
          ]}
        >
          <SavedViews />
        </PageActions>
      }
    >
      {isGiving && (
        <GiftForm
          title={t('Give gift card')}
          currency={merchant.currency}
          send={(gift, key) => giveGiftCard({ ...gift, merchantId: merchant.merchantId }, key)}
          onGiven={setGiven}
          onClose={() => setGiving(false)}
        />
      )}
      {isImporting && <ImportDialog merchantId={merchant.merchantId} onClose={() => setImporting(false)} />}
      {given?.code && <CodeNote code={given.code} amount={writeMoney(given.balance, merchant.currency)} />}
      <TabRow label={t('Gift cards')} tabs={TABS} value={tab.id} onChange={(id) => go({ tab: id, q: values.q, sort: values.sort })} />
      <SearchBox
        label={t('Search gift cards')}
        placeholder={t('Code, last 4, customer, ID')}
        widthPx={312}
        value={values.q}
        onSearch={(q) => {
          if (isWholeGiftCardCode(q)) finding.mutate(q);
          else if (!PART_OF_CODE.test(q)) go({ tab: tab.id, q, sort: values.sort });
        }}
      />
      <RecordList
        list="Gift cards"
        query={list}
        label={t('Gift cards')}
        columns={columns}
        leaveOut={LEAVE_OUT}
        idOf={(row) => row.giftCardId}
        page={values.page}
        sort={{ allowed: SORTS, value: values.sort, onSort: (sort) => go({ ...values, page: 1, sort }) }}
        onPage={(page) => go({ ...values, page })}
        totals={
          owed && (
            <Totals
              label={t('Owed on gift cards and store credit')}
              totals={[{ currency: owed.currency, count: 1, amount: owed.totals.openAmount }]}
            />
          )
        }
        openId={openId}
        onOpen={(row) => open(row.giftCardId)}
        empty={
          values.q !== '' ? (
            <EmptyState title={t('No match')}>{t('No gift card or store credit matches “{{q}}”.', { q: values.q })}</EmptyState>
          ) : tab.kind === 'gift_card' ? (
            <EmptyState title={t('No gift cards')}>{t('Gift cards appear here when an order sells them or you give one.')}</EmptyState>
          ) : (
            <EmptyState title={t('No store credit')}>{t('Store credit appears here when you refund a payment to it.')}</EmptyState>
          )
        }
      />
      <RecordPanel label={t('Gift card')} {...panel}>
        {(id, isOpen) => (
          <GiftCardView
            giftCardId={id}
            takesFocus={isOpen}
            form={(card, onClose) => (
              <GiftForm
                title={t('Add amount')}
                currency={card.currency}
                send={(gift, key) => addToGiftCard(id, gift, key)}
                onClose={onClose}
              />
            )}
          />
        )}
      </RecordPanel>
    </Screen>
  );
}

/**
 * Beginning of a code that is being typed: with digits and letters, or in groups of four, which may have no digit yet. A code pays without a PIN, so that it
 * is no part of an address.
 */
const PART_OF_CODE = /^(?:(?=.*\d)(?=.*[a-z])[\da-z\s-]{6,}|[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4})+-[\da-hjkmnp-tv-z]*)$/i;

const LEAVE_OUT = ['createdBy', 'createdAt', 'customer', 'status'];

function columnsFor({ currency, timezone }: Merchant): GridColDef<GiftCard>[] {
  return [
    { field: 'name', headerName: t('Gift card'), flex: 1.2, minWidth: 150, valueGetter: (_, row) => cardName(row) },
    statusColumn({ flex: 0.8, minWidth: 120 }, (row) => row.status),
    moneyColumn('balance', t('Balance, {{currency}}', { currency }), { flex: 0.8, minWidth: 120 }, currency, (row) => row.balance),
    { field: 'customer', headerName: t('Customer'), flex: 1.2, minWidth: 130, valueGetter: (_, row) => row.customerName ?? '' },
    textColumn('createdBy', t('Created by'), { flex: 1.2, minWidth: 130 }, ({ createdBy }) => actorText(createdBy)),
    timeColumn('createdAt', t('Created'), { flex: 1, minWidth: 130 }, timezone, (row) => row.createdAt),
  ];
}
