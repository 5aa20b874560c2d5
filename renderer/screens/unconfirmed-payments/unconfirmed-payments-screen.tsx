import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { addressSchema, useAddress } from '#renderer/base/address';
import type { UnconfirmedOperation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { inPages, RecordList } from '#renderer/kit/data-table';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { announce, EmptyState, Screen } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { columnsFor } from './columns.tsx';
import { OperationView } from './operation-view.tsx';
import { unconfirmedQuery } from './queries.ts';
import { factsOf } from './texts.ts';

const TICK_MS = 1_000;
const PAGE_SIZE = 50;
const ADDRESS = addressSchema({});

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['gateway', 'operation', 'card'];

/** All unconfirmed operations, each with what happens next and what a person can do. */
export function UnconfirmedPaymentsScreen() {
  const { merchantId } = useMerchant();
  return <UnconfirmedList key={merchantId} />;
}

function UnconfirmedList() {
  const merchant = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: operationId, open, close, panel } = useRecordAddress('/unconfirmed-payments', search);
  const tenantMs = useTenantNow(TICK_MS);
  const list = useQuery(unconfirmedQuery(merchant.merchantId));
  const [resultText, setResultText] = useState<string>();
  const columns = useMemo(() => columnsFor(merchant, tenantMs), [merchant, tenantMs]);
  const showResult = (text: string | undefined) => {
    setResultText(text);
    if (text !== undefined) announce(text);
  };
  const operations = list.data?.operations;
  const shown = useShown(operations, operationId);
  const isGone = operationId !== undefined && operations !== undefined && !operations.some(({ id }) => id === operationId);
  // A confirmed operation leaves the list, and its panel closes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes once for each operation.
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);

  return (
    <Screen
      title={t('Unconfirmed payments')}
      fillsHeight
      subtitle={
        list.data
          ? factsOf(list.data.counts, list.data.operations.length)
          : t('Payments with no confirmed outcome. We check automatically and never send a payment twice.')
      }
    >
      {resultText && (
        <Alert severity="info" role="presentation" onClose={() => setResultText(undefined)}>
          {resultText}
        </Alert>
      )}
      <RecordList
        list="Unconfirmed payments"
        leaveOut={LEAVE_OUT}
        query={inPages(list, ({ operations: all }) => all, values.page, PAGE_SIZE)}
        label={t('Unconfirmed payments')}
        columns={columns}
        idOf={(row) => row.id}
        page={values.page}
        onPage={(page) => go({ page })}
        openId={operationId}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState title={t('No unconfirmed payments')}>
            {t('Payments with no processor response appear here until confirmed.')}
          </EmptyState>
        }
      />
      <RecordPanel label={t('Unconfirmed payment')} {...panel}>
        {(id, isOpen) => {
          const operation = operations?.find((each) => each.id === id) ?? (shown?.id === id ? shown : undefined);
          return operation && <OperationView operation={operation} takesFocus={isOpen} onResult={showResult} />;
        }}
      </RecordPanel>
    </Screen>
  );
}

/** Returns the open operation; while its panel closes, the last one. */
function useShown(operations: readonly UnconfirmedOperation[] | undefined, openId: string | undefined): UnconfirmedOperation | undefined {
  const last = useRef<UnconfirmedOperation>(undefined);
  last.current = operations?.find(({ id }) => id === openId) ?? last.current;
  return last.current;
}
