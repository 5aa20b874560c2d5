import Box from '@mui/material/Box';
import { type KeyboardEvent, useId, useState } from 'react';
import { t } from '#renderer/base/language';
import { useWidth, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { Breakdown } from './breakdown.tsx';
import type { ChartKind } from './kind.ts';
import type { ChartPoint } from './point.ts';
import { CHART_HEIGHT_PX, ROW_HEIGHT_PX } from './size.ts';
import { COMPARISON_COLOR, shade } from './style.ts';
import { TimeChart } from './time-chart.tsx';

export interface ChartProps {
  readonly kind: ChartKind;
  /** Accessible name of the chart. */
  readonly label: string;
  readonly points: readonly ChartPoint[];
  /** Names of the parts of a point. */
  readonly parts: readonly string[];
  /** Name of the compared period; absent without a comparison. */
  readonly comparison?: string;
  /** Height of a chart over time, in pixels. */
  readonly height?: number;
  /** Formats a value for the axis and above a bar. */
  readonly formatValue: (value: number) => string;
  /** Opens the records of a point; absent if points have no records to open. */
  readonly onOpen?: (at: number) => void;
}

/**
 * Chart with keyboard access, as a list of points in one tab stop: arrow keys move through the points, Home and End go to the first and
 * the last, Enter opens the records of a point. The current point is described below the chart and announced by screen readers.
 */
export function Chart({ kind, label, points, parts, comparison, height = CHART_HEIGHT_PX, formatValue, onOpen }: ChartProps) {
  const list = useId();
  const [focusedIndex, setFocusedIndex] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const [frame, width] = useWidth();
  const last = points.length - 1;
  const at = Math.min(focusedIndex ?? (kind === 'breakdown' ? 0 : last), last);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setFocusedIndex(Math.min(last, Math.max(0, next)));
    } else if (event.key === 'Enter' && onOpen) {
      event.preventDefault();
      onOpen(at);
    }
  };

  const plot = { points, formatValue, width, current: isFocused ? at : undefined, onOpen };
  return (
    <Box sx={{ breakInside: 'avoid' }}>
      <Box
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-orientation={kind === 'breakdown' ? 'vertical' : 'horizontal'}
        aria-activedescendant={`${list}-${at}`}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        sx={(theme) => ({
          borderRadius: 1,
          position: 'relative',
          '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        })}
      >
        {points.map((point, index) => (
          <Box key={point.key} id={`${list}-${index}`} role="option" aria-selected={index === at} sx={VISUALLY_HIDDEN}>
            {point.description}
          </Box>
        ))}
        <Box
          ref={frame}
          aria-hidden
          sx={{
            height: kind === 'breakdown' ? points.length * ROW_HEIGHT_PX : height,
            overflow: 'hidden',
            cursor: onOpen ? 'pointer' : undefined,
          }}
        >
          {width > 0 &&
            (kind === 'breakdown' ? (
              <Breakdown {...plot} />
            ) : (
              <TimeChart {...plot} shape={kind} parts={parts.length} height={height} patternId={`${list}-hatch`} />
            ))}
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, mt: 1, fontSize: 12, color: 'text.secondary' }}>
        <Box
          aria-hidden
          sx={{
            flex: 1,
            minWidth: isFocused ? 180 : 0,
            color: isFocused ? 'text.primary' : 'text.secondary',
            '@media print': { display: 'none' },
          }}
        >
          {isFocused ? points[at]?.description : ' '}
        </Box>
        {parts.length > 1 && parts.map((name, part) => <LegendItem key={name} fill={shade(part)} name={name} />)}
        {comparison !== undefined && parts.length === 1 && kind !== 'breakdown' && <LegendItem fill={shade(0)} name={parts[0] ?? ''} />}
        {comparison !== undefined && <ComparisonLegend name={comparison} />}
        {kind !== 'breakdown' && points.some(({ isPartial }) => isPartial) && (
          <LegendItem fill={`repeating-linear-gradient(135deg, ${shade(0)} 0 2px, transparent 2px 4px)`} name={t('In progress')} />
        )}
      </Box>
    </Box>
  );
}

function LegendItem({ fill, name }: { fill: string; name: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box
        component="span"
        aria-hidden
        sx={(theme) => ({ width: 10, height: 10, background: fill, border: `1px solid ${theme.vars.palette.outline}` })}
      />
      {name}
    </Box>
  );
}

function ComparisonLegend({ name }: { name: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box component="span" aria-hidden sx={{ width: 14, borderTop: `2px dashed ${COMPARISON_COLOR}` }} />
      {name}
    </Box>
  );
}
