import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';

const WIDTH = 100;
const HEIGHT = 40;
const MARGIN = 3;

/** A small line without axes under a figure. The chart below shows its values. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const theme = useTheme();
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const points = values.map((value, at) => {
    const x = values.length < 2 ? 0 : (at / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN)).toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height: HEIGHT }}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={theme.vars?.palette.primary.main ?? 'currentColor'}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </Box>
  );
}
