import Box from '@mui/material/Box';
import { AddressBreaks } from '#renderer/kit/ui';

/** A text of a cell in at most two lines, which fit the rows of every density. The rest is shown as a tooltip. */
export function WrappedText({ text }: { readonly text: string }) {
  return (
    <Box
      component="span"
      title={text}
      sx={{
        display: '-webkit-box',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
        overflow: 'hidden',
        overflowWrap: 'anywhere',
        whiteSpace: 'normal',
        lineHeight: '15px',
      }}
    >
      <AddressBreaks text={text} />
    </Box>
  );
}
