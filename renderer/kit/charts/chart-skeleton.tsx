import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { CHART_HEIGHT_PX } from './size.ts';

const LINES = [4, 3, 2, 1, 0];

/** A chart before its data is there: its grid lines, with grey bars for their values. */
export function ChartSkeleton({ height = CHART_HEIGHT_PX }: { readonly height?: number | undefined }) {
  return (
    <Box sx={{ height, pb: 6, display: 'flex', flexDirection: 'column', justifyContent: 'space-between' }}>
      {LINES.map((line) => (
        <Box key={line} sx={{ display: 'flex', alignItems: 'center', gap: 2, height: 0 }}>
          <Skeleton width={32} />
          <Box sx={{ flex: 1, borderTop: 1, borderColor: 'divider' }} />
        </Box>
      ))}
    </Box>
  );
}
