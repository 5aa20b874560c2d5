import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';

interface ListFilterProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** Action on the list as it is filtered, at the end of the row. */
  readonly action?: ReactNode;
  /** Fields and chips of the filter. */
  readonly children: ReactNode;
}

/** Filter of a list, with the button that clears it. */
export function ListFilter({ isFiltered, onClear, action, children }: ListFilterProps) {
  return (
    <Box role="search" aria-label={t('Filter')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      {children}
      {isFiltered && (
        <Button variant="text" size="small" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
      {action && <Box sx={{ marginInlineStart: 'auto' }}>{action}</Box>}
    </Box>
  );
}
