import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiFailure, UnconfirmedOperation } from '#renderer/base/client';
import { refusalOf, serviceText, t } from '#renderer/base/language';
import { inPages, RecordList } from '#renderer/kit/data-table';
import type { RecordAction } from '#renderer/kit/record';
import { announce, EmptyState, FailureNote, Screen, useNow } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { columnsFor } from './columns.tsx';
import { type Inquired, inquire, refreshUnconfirmed, unconfirmedQuery } from './queries.ts';
import { RecordOutcomeDialog } from './record-outcome-dialog.tsx';
import { factsOf, inquiryResultText, operationName, paymentStatusText } from './texts.ts';

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
  const tenantMs = useTenantNow(TICK_MS);
  const realMs = useNow(true, TICK_MS);
  const list = useQuery(unconfirmedQuery(merchant.merchantId));
  const [page, setPage] = useState(1);
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
  const actionsOf = useMemo(() => {
    if (!canInquire && !canRecordOutcome) return null;
    return (operation: UnconfirmedOperation): RecordAction[] => {
      const { inquire: inquiring, conclude, acknowledge } = operation.actions;
      const select = () => setSelected(operation);
      return [
        inquiring.allowed &&
          operation.stage === 'open' && { label: t('Check now'), isBusy: inquiringId === operation.id, run: () => runInquiry(operation) },
        conclude.allowed && { label: t('Record outcome…'), run: select },
        acknowledge.allowed && { label: t('Resolve…'), run: select },
      ].filter((action) => action !== false);
    };
  }, [canInquire, canRecordOutcome, inquiringId, runInquiry]);
  const columns = useMemo(() => columnsFor(merchant, { tenantMs, realMs }, actionsOf), [merchant, tenantMs, realMs, actionsOf]);

  const rowKeys = [
    {
      keys: 'A',
      label: t('Check with the gateway now'),
      isAllowed: canInquire,
      run: (operation: UnconfirmedOperation | undefined) => {
        if (operation?.stage === 'open' && !isInquiring) runInquiry(operation);
      },
    },
    {
      keys: 'D',
      label: t('Record outcome'),
      isAllowed: canRecordOutcome,
      run: (operation: UnconfirmedOperation | undefined) => {
        if (!operation) return;
        const { conclude, acknowledge } = operation.actions;
        if (conclude.allowed || acknowledge.allowed) setSelected(operation);
        else announce((operation.stage === 'open' && refusalOf(conclude)) || serviceText(operation.message));
      },
    },
  ].filter(({ isAllowed }) => isAllowed);

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
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        {resultText && (
          <Alert severity="info" role="presentation" onClose={() => setResultText(undefined)}>
            {resultText}
          </Alert>
        )}
        {inquiry.error && <FailureNote failure={inquiry.error} />}
        <RecordList
          list="Unconfirmed payments"
          query={inPages(list, ({ operations }) => operations, page, PAGE_SIZE)}
          rowKeys={rowKeys}
          label={t('Unconfirmed payments')}
          columns={columns}
          idOf={(row) => row.id}
          page={page}
          getRowHeight={autoHeight}
          onPage={setPage}
          onOpen={({ transactionId }) => void navigate(`/transactions/${transactionId}`)}
          empty={
            <EmptyState title={t('No unconfirmed payments')}>
              {t('Payments with no processor response appear here until confirmed.')}
            </EmptyState>
          }
        />
      </Box>
      {selected?.actions.acknowledge.allowed && (
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
      {selected?.actions.conclude.allowed && (
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

const autoHeight = () => 'auto' as const;
