import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useGridApiRef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiFailure, UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { announce, EmptyState, FailureNote, QueryContent, Screen, useNow, useShortcuts } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { columnsFor } from './columns.tsx';
import { type Inquired, inquire, refreshUnconfirmed, unconfirmedQuery } from './queries.ts';
import { RecordOutcomeDialog } from './record-outcome-dialog.tsx';
import { factsOf, inquiryResultText, isConcluded, isOpen, needsOutcome, operationName, paymentStatusText } from './texts.ts';

const FIRST_FIELD = 'since';
const TICK_MS = 1_000;
const PAGE_SIZE = 50;

/** All unconfirmed operations: age, next inquiry, and available actions. */
export function UnconfirmedPaymentsScreen() {
  const { merchantId } = useMerchant();
  return <UnconfirmedList key={merchantId} />;
}

function UnconfirmedList() {
  const merchant = useMerchant();
  const navigate = useNavigate();
  const may = useMay();
  const grid = useGridApiRef();
  const tenantMs = useTenantNow(TICK_MS);
  const realMs = useNow(true, TICK_MS);
  const list = useQuery(unconfirmedQuery(merchant.merchantId));
  const [chosenPage, setPage] = useState(1);
  const [resultText, setResultText] = useState<string>();
  const [selected, setSelected] = useState<UnconfirmedOperation>();
  const canInquire = may('transactions:write');
  const canRecordOutcome = may('settlement:write');

  const showResult = (text: string) => {
    setResultText(text);
    announce(text);
  };
  const inquiry = useMutation<Inquired, ApiFailure, UnconfirmedOperation>({
    mutationFn: ({ id }) => inquire(id),
    onMutate: () => setResultText(undefined),
    onSuccess: (inquired, operation) => showResult(inquiryResultText(operation, inquired)),
    onSettled: () => refreshUnconfirmed(),
  });
  const { isPending: isInquiring, mutate: runInquiry } = inquiry;
  const inquiringId = isInquiring ? inquiry.variables?.id : undefined;
  const actions = useMemo(
    () => ({ inquiringId, inquire: canInquire ? runInquiry : null, recordOutcome: canRecordOutcome ? setSelected : null }),
    [canInquire, canRecordOutcome, inquiringId, runInquiry],
  );
  const columns = useMemo(() => columnsFor(merchant, { tenantMs, realMs }, actions), [merchant, tenantMs, realMs, actions]);

  const allOperations = list.data?.operations ?? [];
  // Confirmed rows disappear, so the last page may no longer exist.
  const page = Math.max(1, Math.min(chosenPage, Math.ceil(allOperations.length / PAGE_SIZE)));
  const operations = pageOf(allOperations, page);
  const focusedIndex = () => operations.findIndex(({ id }) => id === grid.current?.state.focus.cell?.id);
  const step = (offset: 1 | -1) => {
    const index = focusedIndex();
    const next = operations[index < 0 ? 0 : index + offset];
    if (next) grid.current?.setCellFocus(next.id, FIRST_FIELD);
  };
  /** Returns the focused row, or the only one. */
  const currentRow = () => operations[focusedIndex()] ?? (operations.length === 1 ? operations[0] : undefined);
  useShortcuts(t('Unconfirmed payments'), [
    { keys: 'J', label: t('Next'), run: () => step(1) },
    { keys: 'K', label: t('Previous'), run: () => step(-1) },
    ...(canInquire
      ? [
          {
            keys: 'A',
            label: t('Check with the gateway now'),
            run: () => {
              const operation = currentRow();
              if (operation && isOpen(operation) && !isInquiring) runInquiry(operation);
            },
          },
        ]
      : []),
    ...(canRecordOutcome
      ? [
          {
            keys: 'D',
            label: t('Record outcome'),
            run: () => {
              const operation = currentRow();
              if (!operation) return;
              if (needsOutcome(operation) || isConcluded(operation)) setSelected(operation);
              else
                announce(
                  isOpen(operation) ? t('The gateway is still being checked. No action is needed yet.') : serviceText(operation.message),
                );
            },
          },
        ]
      : []),
  ]);

  return (
    <Screen
      title={t('Unconfirmed payments')}
      fillsHeight
      subtitle={
        list.data
          ? factsOf(list.data.counts, allOperations.length)
          : t('Payments with no confirmed outcome. We check automatically and never send a payment twice.')
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        {resultText && (
          <Alert severity="info" role="presentation" onClose={() => setResultText(undefined)}>
            {resultText}
          </Alert>
        )}
        {inquiry.error && <FailureNote failure={inquiry.error} />}
        <QueryContent query={list} skeleton={<Box sx={{ flex: 1 }} />}>
          {(data) => (
            <DataTable
              list="Unconfirmed payments"
              label={t('Unconfirmed payments')}
              apiRef={grid}
              rows={pageOf(data.operations, page)}
              columns={columns}
              getRowId={(row) => row.id}
              total={data.operations.length}
              page={page}
              pageSize={PAGE_SIZE}
              isLoading={false}
              getRowHeight={autoHeight}
              onPage={setPage}
              onOpen={({ transactionId }) => void navigate(`/transactions/${transactionId}`)}
              empty={
                <EmptyState title={t('No unconfirmed payments')}>
                  {t('Payments with no processor response appear here until confirmed.')}
                </EmptyState>
              }
            />
          )}
        </QueryContent>
      </Box>
      {selected && isConcluded(selected) && (
        <AcknowledgeDialog
          key={selected.id}
          operation={selected}
          onClose={() => setSelected(undefined)}
          onDone={() => {
            setSelected(undefined);
            showResult(t('{{operation}}: resolved.', { operation: operationName(selected) }));
          }}
        />
      )}
      {selected && !isConcluded(selected) && (
        <RecordOutcomeDialog
          key={selected.id}
          operation={selected}
          onClose={() => setSelected(undefined)}
          onRecorded={({ status }) => {
            setSelected(undefined);
            showResult(`${t('{{operation}}: outcome recorded.', { operation: operationName(selected) })} ${paymentStatusText(status)}`);
          }}
        />
      )}
    </Screen>
  );
}

function pageOf(operations: readonly UnconfirmedOperation[], page: number): readonly UnconfirmedOperation[] {
  return operations.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

const autoHeight = () => 'auto' as const;
