import Box from '@mui/material/Box';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  readonly maxHeight?: number;
  /** False for a text in columns, which scrolls sideways instead. */
  readonly wraps?: boolean;
}

/** Preformatted text that scrolls and can be focused by keyboard. */
export function CodeBlock({ label, text, maxHeight = 280, wraps = true }: CodeBlockProps) {
  return (
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
        ...(wraps ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } : { whiteSpace: 'pre', fontSize: 11 }),
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.wash,
      })}
    >
      {text}
    </Box>
  );
}
