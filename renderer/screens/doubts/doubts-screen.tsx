import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useGridApiRef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiFailure, Doubt } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMay, useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { Answer, announce, EmptyNote, FailureNote, Screen, useNow, useShortcuts } from '#renderer/ui';
import { columnsFor } from './columns.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { DoneDialog } from './done-dialog.tsx';
import { doubtsQuery, type Inquired, inquire, refreshDoubts } from './queries.ts';
import { cameTo, canBeDecided, factsOf, hasEnded, isOpen, whatIs } from './words.ts';

const FIRST_FIELD = 'since';
const TICK_MS = 1_000;
const PAGE_SIZE = 50;

/** All unconfirmed operations: age, next inquiry, and available actions. */
export function DoubtsScreen() {
  const { merchantId } = useMerchant();
  return <Board key={merchantId} />;
}

function Board() {
  const merchant = useMerchant();
  const navigate = useNavigate();
  const may = useMay();
  const grid = useGridApiRef();
  const tenantMs = useTenantNow(TICK_MS);
  const realMs = useNow(true, TICK_MS);
  const list = useQuery(doubtsQuery(merchant.merchantId));
  const [chosenPage, setPage] = useState(1);
  const [told, setTold] = useState<string>();
  const [decided, setDecided] = useState<Doubt>();
  const canAsk = may('transactions:write');
  const canDecide = may('settlement:write');

  const tell = (text: string) => {
    setTold(text);
    announce(text);
  };
  const asking = useMutation<Inquired, ApiFailure, Doubt>({
    mutationFn: ({ id }) => inquire(id),
    onMutate: () => setTold(undefined),
    onSuccess: (inquired, doubt) => tell(cameTo(doubt, inquired)),
    onSettled: () => refreshDoubts(),
  });
  const { isPending: isAsking, mutate: ask } = asking;
  const askedId = isAsking ? asking.variables?.id : undefined;
  const actions = useMemo(
    () => ({ askedId, ask: canAsk ? ask : null, decide: canDecide ? setDecided : null }),
    [canAsk, canDecide, askedId, ask],
  );
  const columns = useMemo(() => columnsFor(merchant, { tenantMs, realMs }, actions), [merchant, tenantMs, realMs, actions]);

  const listed = list.data?.doubts ?? [];
  // Rows end by themselves, and the last page with them.
  const page = Math.max(1, Math.min(chosenPage, Math.ceil(listed.length / PAGE_SIZE)));
  const doubts = pageOf(listed, page);
  const focusedAt = () => doubts.findIndex(({ id }) => id === grid.current?.state.focus.cell?.id);
  const step = (by: 1 | -1) => {
    const at = focusedAt();
    const next = doubts[at < 0 ? 0 : at + by];
    if (next) grid.current?.setCellFocus(next.id, FIRST_FIELD);
  };
  /** The row that has the focus, or the only one. */
  const current = () => doubts[focusedAt()] ?? (doubts.length === 1 ? doubts[0] : undefined);
  useShortcuts('In doubt', [
    { keys: 'J', label: 'Next', run: () => step(1) },
    { keys: 'K', label: 'Previous', run: () => step(-1) },
    ...(canAsk
      ? [
          {
            keys: 'A',
            label: 'Ask the gateway now',
            run: () => {
              const doubt = current();
              if (doubt && isOpen(doubt) && !isAsking) ask(doubt);
            },
          },
        ]
      : []),
    ...(canDecide
      ? [
          {
            keys: 'D',
            label: 'Decide',
            run: () => {
              const doubt = current();
              if (!doubt) return;
              if (canBeDecided(doubt) || hasEnded(doubt)) setDecided(doubt);
              else announce(isOpen(doubt) ? 'The gateway is still being asked. No decision is needed yet.' : doubt.words);
            },
          },
        ]
      : []),
  ]);

  return (
    <Screen
      title="In doubt"
      isFilling
      facts={
        list.data
          ? factsOf(list.data.counts, listed.length)
          : 'Payments whose outcome the gateway has not told. They are asked about by themselves and never sent twice.'
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        {told && (
          <Alert severity="info" role="presentation" onClose={() => setTold(undefined)}>
            {told}
          </Alert>
        )}
        {asking.error && <FailureNote failure={asking.error} />}
        <Answer of={list} skeleton={<Box sx={{ flex: 1 }} />}>
          {(data) => (
            <DataTable
              label="In doubt"
              apiRef={grid}
              rows={pageOf(data.doubts, page)}
              columns={columns}
              getRowId={(row) => row.id}
              total={data.doubts.length}
              page={page}
              pageSize={PAGE_SIZE}
              isLoading={false}
              getRowHeight={asTallAsItsWords}
              onPage={setPage}
              onOpen={({ transactionId }) => void navigate(`/transactions/${transactionId}`)}
              empty={
                <EmptyNote title="Nothing is in doubt">
                  The outcome of every payment is known. When a gateway leaves one unanswered it stands here until the gateway has said what
                  became of it.
                </EmptyNote>
              }
            />
          )}
        </Answer>
      </Box>
      {decided && hasEnded(decided) && (
        <DoneDialog
          key={decided.id}
          doubt={decided}
          onClose={() => setDecided(undefined)}
          onDone={() => {
            setDecided(undefined);
            tell(`${whatIs(decided)}: taken off the board.`);
          }}
        />
      )}
      {decided && !hasEnded(decided) && (
        <DecideDialog
          key={decided.id}
          doubt={decided}
          onClose={() => setDecided(undefined)}
          onDecided={({ status }) => {
            setDecided(undefined);
            tell(`${whatIs(decided)}: recorded as you saw it. The payment is ${status}.`);
          }}
        />
      )}
    </Screen>
  );
}

function pageOf(doubts: readonly Doubt[], page: number): readonly Doubt[] {
  return doubts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

const asTallAsItsWords = () => 'auto' as const;
