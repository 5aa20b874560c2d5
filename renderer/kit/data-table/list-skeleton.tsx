import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import type { GridColDef } from '@mui/x-data-grid';

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
const ROW_PX = 36;

/** A list before its rows are there: its headers, and rows of grey bars. */
export function ListSkeleton({ columns }: { readonly columns: readonly Pick<GridColDef, 'field' | 'headerName' | 'align'>[] }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))`,
        gridAutoRows: ROW_PX,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        backgroundColor: 'background.paper',
        overflow: 'hidden',
        '& > *': { px: 2.5, display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider' },
      }}
    >
      {columns.map(({ field, headerName, align }) => (
        <Box key={field} sx={{ justifyContent: align, fontSize: 12, fontWeight: 600, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {headerName}
        </Box>
      ))}
      {ROWS.map((row) =>
        columns.map(({ field, align }) => (
          <Box key={`${field} ${row}`} sx={{ justifyContent: align }}>
            <Skeleton width="60%" />
          </Box>
        )),
      )}
    </Box>
  );
}
