import Box from '@mui/material/Box';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  readonly maxHeight?: number;
  /** False for a text in columns, which is made small enough for its longest line. */
  readonly wraps?: boolean;
}

/** Space of the padding, the border and the bar that scrolls, and the width of a character as a part of the size of the font. */
const FRAME_PX = 42;
const CHARACTER_EM = 0.61;

/** Returns the largest size at which the longest line fits into the container. */
const fittingSize = (text: string) =>
  `min(12px, calc((100cqi - ${FRAME_PX}px) / ${CHARACTER_EM * Math.max(1, ...text.split('\n').map(({ length }) => length))}))`;

/** Preformatted text that scrolls and can be focused by keyboard. */
export function CodeBlock({ label, text, maxHeight = 280, wraps = true }: CodeBlockProps) {
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Box
        component="pre"
        tabIndex={0}
        role="region"
        aria-label={label}
        className="mono"
        sx={(theme) => ({
          m: 0,
          p: 3,
          maxHeight,
          overflow: 'auto',
          fontSize: 12,
          lineHeight: '18px',
          ...(wraps ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } : { whiteSpace: 'pre', fontSize: fittingSize(text) }),
          border: `1px solid ${theme.vars.palette.divider}`,
          borderRadius: 1,
          backgroundColor: theme.vars.palette.wash,
        })}
      >
        {text}
      </Box>
    </Box>
  );
}
