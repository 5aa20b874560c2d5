import Box from '@mui/material/Box';
import { Fragment } from 'react';

/** Parts of a text with an email address between which a line may end. */
const PARTS = /\.?[^@.]*@?/g;

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
      {text.includes('@')
        ? [...text.matchAll(PARTS)].map(({ 0: part, index: at }) => (
            <Fragment key={at}>
              <wbr />
              {part}
            </Fragment>
          ))
        : text}
    </Box>
  );
}
