import Box from '@mui/material/Box';

/** Preformatted text that scrolls and can be focused by keyboard. */
export function CodeBlock({ label, text, maxHeight = 280 }: { label: string; text: string; maxHeight?: number }) {
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
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.wash,
      })}
    >
      {text}
    </Box>
  );
}
