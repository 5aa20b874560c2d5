import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import type { BulkAction, ResultAction } from './bulk-action.ts';
import { BulkDialog } from './bulk-dialog.tsx';

interface BulkBarProps<Row> {
  readonly rows: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly onClear: () => void;
}

/** Number of selected rows with the actions on them. */
export function BulkBar<Row>({ rows, actions, idOf, nameOf, onClear }: BulkBarProps<Row>) {
  // The rows at the time of the choice: the list may change while the action runs.
  const [chosen, setChosen] = useState<{ readonly action: ResultAction<Row>; readonly rows: readonly Row[] }>();
  return (
    <Box role="toolbar" aria-label={t('Selected rows')} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Box component="strong" sx={{ marginInlineEnd: 2 }}>
        {t('{{count, number}} selected', { count: rows.length })}
      </Box>
      {actions.map((action) => (
        <Button key={action.label} size="small" onClick={() => ('runAll' in action ? action.runAll(rows) : setChosen({ action, rows }))}>
          {action.label}
        </Button>
      ))}
      <Button size="small" variant="text" onClick={onClear}>
        {t('Clear selection')}
      </Button>
      {chosen && <BulkDialog {...chosen} idOf={idOf} nameOf={nameOf} onClose={() => setChosen(undefined)} />}
    </Box>
  );
}
