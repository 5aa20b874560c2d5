import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { ApiFailure, BankLine, BankMatch, BankMatchBody, MerchantBankAccount } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { TabRow } from '#renderer/kit/choices';
import { BulkDialog, RecordList, type ResultAction, Totals } from '#renderer/kit/data-table';
import { offerUndo, RecordPanel } from '#renderer/kit/record';
import { announce, dayText, EmptyState } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { lineColumns } from './columns.tsx';
import { LineView } from './line-view.tsx';
import { type LineState, linesQuery, matchLine, matchLines, refreshBank, totalsQuery, undoMatch } from './queries.ts';
import { SplitDialog } from './split-dialog.tsx';
import { acceptedParts } from './texts.ts';
import { SORTS, useView } from './use-view.ts';

interface LineListProps {
  readonly account: MerchantBankAccount;
  readonly onImport: () => void;
}

interface Change {
  readonly line: BankLine;
  /** Parts of the match; null to undo it. */
  readonly parts: BankMatchBody['parts'] | null;
}

/** Accepts the suggestions of lines. */
const ACCEPT: ResultAction<BankLine> = {
  label: t('Accept matches'),
  explain: (rows) => t('Matches {{count, number}} lines as suggested. You can undo each match.', { count: rows.length }),
  reason: (line) =>
    acceptedParts(line) === undefined ? t('no suggestion') : line.suggestion?.ambiguous ? t('others fit as well') : undefined,
  runTogether: async (lines) => {
    const outcomes = await matchLines(lines.map((line) => ({ lineId: line.lineId, parts: acceptedParts(line) ?? [] })));
    return outcomes.map(({ error }) =>
      error ? { state: 'failed', text: error.message } : { state: 'ok', text: t('Matched', { context: 'line' }) },
    );
  },
  onDone: () => void refreshBank(),
};
const BULK = [ACCEPT];
const lineName = ({ day, text, amount, currency }: BankLine) => [dayText(day), text, writeMoney(amount, currency)].join(', ');

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['state', 'match'];

const nameOf = ({ line, parts }: Change) => `${parts === null ? 'undo' : 'match'} ${line.lineId}`;

/** Open or matched lines of an account. Enter opens a line, and Enter accepts its suggestion and opens the next. */
export function LineList({ account, onImport }: LineListProps) {
  const canWrite = useMay()('settlement:write');
  const { values, go, change } = useView();
  const { state, sort, page, line: openId } = values;
  const [splitId, setSplitId] = useState<string>();
  /** Lines of the page whose suggestions are to be accepted at once. */
  const [accepting, setAccepting] = useState<readonly BankLine[]>();
  const lines = useQuery(linesQuery(account.bankAccountId, state, sort, page));
  const totals = useQuery(totalsQuery(account.bankAccountId, state));
  const rows = lines.data?.items ?? [];
  const columns = useMemo(() => lineColumns(account.currency), [account.currency]);
  const open = (lineId: string | undefined) => go({ ...values, line: lineId });
  const [failure, setFailure] = useState<{ readonly lineId: string; readonly error: ApiFailure }>();
  /** Changes that are not shown yet. Further changes wait for their turn, because several keys can be pressed before a response. */
  const underWay = useRef(new Set<string>());
  const saving = useMutation<BankMatch, ApiFailure, Change>({
    scope: { id: 'bank-lines' },
    mutationFn: ({ line, parts }) =>
      parts === null
        ? undoMatch(
            line.lineId,
            line.matches.map(({ matchId }) => matchId),
          )
        : matchLine(line.lineId, { parts }),
    onSuccess: ({ matchIds }, { line, parts }) => {
      setSplitId((id) => (id === line.lineId ? undefined : id));
      announce(parts === null ? t('Match undone.') : t('Matched.'));
      if (parts !== null) offerUndo(t('Matched.'), () => undoMatch(line.lineId, matchIds), refreshBank);
      // Another line can be open, for example one whose change has failed meanwhile.
      if (openId !== line.lineId) return;
      // The loaded rows are older, so the changed row is skipped.
      const at = rows.findIndex(({ lineId }) => lineId === line.lineId);
      const next = [...rows.slice(at + 1), ...rows.slice(0, at)][0];
      open(next?.lineId);
    },
    onError: (error, { line }) => {
      setFailure({ lineId: line.lineId, error });
      // The view of the line explains the failure.
      open(line.lineId);
    },
    onSettled: (_data, _error, saved) => void refreshBank().finally(() => underWay.current.delete(nameOf(saved))),
  });
  const save = (line: BankLine | undefined, parts: BankMatchBody['parts'] | null | undefined) => {
    if (!line || parts === undefined) return;
    const made: Change = { line, parts };
    if (underWay.current.has(nameOf(made))) return;
    underWay.current.add(nameOf(made));
    setFailure(undefined);
    saving.mutate(made);
  };
  /** Marks a debit as a fee. A credit is rarely one, so it is opened, where its button says "Fee refund". */
  const markAsFee = (line: BankLine | undefined) => {
    if (line && line.amount > 0) open(line.lineId);
    else save(line, [{ kind: 'fee' }]);
  };
  const rowKeys = [
    { keys: 'A', label: t('Accept matches'), of: 'open', run: () => setAccepting(rows.filter((row) => acceptedParts(row) !== undefined)) },
    { keys: 'F', label: t('Mark as fee'), of: 'open', run: markAsFee },
    { keys: 'S', label: t('Split'), of: 'open', run: (line: BankLine | undefined) => setSplitId(line?.lineId) },
    { keys: 'U', label: t('Undo match'), of: 'matched', run: (line: BankLine | undefined) => save(line, null) },
  ].filter(({ of }) => canWrite && of === state);
  const failureOf = (lineId: string) => (failure?.lineId === lineId ? failure.error : null);
  const split = rows.find(({ lineId }) => lineId === splitId);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, flex: 1, minHeight: 240 }}>
      <TabRow<LineState>
        label={t('Bank lines')}
        areChips
        tabs={[
          {
            id: 'open',
            name:
              state === 'open' && lines.data ? t('Open ({{count, number}})', { count: lines.data.total }) : t('Open', { context: 'lines' }),
          },
          { id: 'matched', name: t('Matched', { context: 'lines' }) },
        ]}
        value={state}
        onChange={(next) => change({ state: next, line: undefined })}
      />
      <RecordList
        leaveOut={LEAVE_OUT}
        bulk={canWrite && state === 'open' ? BULK : undefined}
        nameOf={lineName}
        list={state === 'open' ? 'Open bank lines' : 'Matched bank lines'}
        query={lines}
        label={state === 'open' ? t('Open bank lines') : t('Matched bank lines')}
        columns={columns}
        idOf={(row) => row.lineId}
        page={page}
        totals={<Totals label={t('Amount')} totals={totals.data} />}
        sort={{ allowed: SORTS, value: sort, onSort: (next) => change({ sort: next, line: undefined }) }}
        onPage={(next) => go({ ...values, page: next, line: undefined })}
        openId={openId}
        onOpen={(row) => open(row.lineId)}
        rowKeys={rowKeys}
        empty={<NoLines state={state} account={account} onImport={canWrite ? onImport : undefined} />}
      />
      <RecordPanel label={t('Bank line')} openId={openId} onClose={() => open(undefined)}>
        {(id, isOpen) => {
          const line = rows.find(({ lineId }) => lineId === id);
          if (!line)
            return lines.isPending ? null : (
              <EmptyState title={t('Line not found')}>{t('This line is no longer on this page.')}</EmptyState>
            );
          return (
            <LineView
              line={line}
              takesFocus={isOpen}
              isBusy={saving.isPending}
              failure={failureOf(id)}
              onAccept={() => save(line, acceptedParts(line))}
              onKind={(kind) => save(line, [{ kind }])}
              onSplit={() => setSplitId(id)}
              onUndo={() => save(line, null)}
            />
          );
        }}
      </RecordPanel>
      {accepting && (
        <BulkDialog
          action={ACCEPT}
          rows={accepting}
          idOf={({ lineId }) => lineId}
          nameOf={lineName}
          onClose={() => setAccepting(undefined)}
        />
      )}
      {split && (
        <SplitDialog
          line={split}
          isBusy={saving.isPending}
          failure={failureOf(split.lineId)}
          onMatch={(parts) => save(split, parts)}
          onClose={() => setSplitId(undefined)}
        />
      )}
    </Box>
  );
}

function NoLines({ state, account, onImport }: { state: LineState; account: MerchantBankAccount; onImport: (() => void) | undefined }) {
  if (state === 'matched')
    return <EmptyState title={t('No matched lines')}>{t('Lines appear here when you accept or make a match.')}</EmptyState>;
  if (account.lastStatementDay !== null)
    return <EmptyState title={t('No open lines')}>{t('Every line of your statements is matched.')}</EmptyState>;
  return (
    <EmptyState
      title={t('No statement yet')}
      action={
        onImport && (
          <Button variant="contained" color="primary" onClick={onImport}>
            {t('Import statement')}
          </Button>
        )
      }
    >
      {t('Import a file of your bank: OFX, QFX, CAMT.053, MT940, BAI2 or CSV.')}
    </EmptyState>
  );
}
