import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FormDialog, StatusChip } from '#renderer/kit/ui';
import type { EachAction, ResultAction, RowResult } from './bulk-action.ts';

interface BulkDialogProps<Row> {
  readonly action: ResultAction<Row>;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly onClose: () => void;
}

/** Says what a bulk action does, runs it, and shows the result of each row. Closing it stops an action that runs row by row after the current row. */
export function BulkDialog<Row>({ action, rows, idOf, nameOf, onClose }: BulkDialogProps<Row>) {
  const [results, setResults] = useState<ReadonlyMap<string, RowResult>>(new Map());
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking');
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const possible = rows.filter((row) => action.reason?.(row) === undefined);
  const run = async () => {
    setState('running');
    let done = 0;
    const show = (row: Row, result: RowResult) => {
      if (result.state === 'ok') done += 1;
      setResults((before) => new Map(before).set(idOf(row), result));
    };
    if ('runTogether' in action) {
      const all = await action.runTogether(possible).catch((error: unknown) => possible.map(() => failed(error)));
      for (const [index, row] of possible.entries()) show(row, all[index] ?? failed(null));
    } else
      for (const row of possible) {
        if (isStopped.current) break;
        show(row, await resultOf(action.run, row));
      }
    action.onDone?.();
    setState('done');
    announce(t('{{done, number}} of {{total, number}} done.', { done, total: possible.length }));
  };
  return (
    <FormDialog
      title={action.label}
      submitLabel={state === 'done' ? undefined : t('{{action}} ({{count, number}})', { action: action.label, count: possible.length })}
      cancelLabel={state === 'asking' ? t('Cancel') : state === 'running' ? t('Stop') : t('Close')}
      focusesSubmit={'runTogether' in action}
      isBusy={state !== 'asking'}
      isDisabled={possible.length === 0}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Box sx={{ mb: 3 }}>{possible.length === 0 ? t('This is not possible for any of the selected rows.') : action.explain(possible)}</Box>
      <Box component="ul" aria-label={t('Results')} sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 320, overflow: 'auto', fontSize: 13 }}>
        {rows.map((row) => {
          const reason = action.reason?.(row);
          const result = results.get(idOf(row));
          return (
            <Box component="li" key={idOf(row)} sx={{ display: 'flex', gap: 3, py: 1, alignItems: 'center' }}>
              <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{nameOf(row)}</Box>
              {reason !== undefined && <Box sx={{ color: 'text.secondary' }}>{t('Left out: {{reason}}', { reason })}</Box>}
              {result && <StatusChip state={result.state} label={result.text} />}
            </Box>
          );
        })}
      </Box>
    </FormDialog>
  );
}

const failed = (error: unknown): RowResult => ({ state: 'failed', text: error instanceof ApiFailure ? error.message : t('It failed.') });

async function resultOf<Row>(run: EachAction<Row>['run'], row: Row): Promise<RowResult> {
  try {
    const result = (await run(row)) ?? t('Done');
    return typeof result === 'string' ? { state: 'ok', text: result } : result;
  } catch (error) {
    return failed(error);
  }
}
