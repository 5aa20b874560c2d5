import { Fragment } from 'react';

/** Parts of a text with an email address between which a line may end. */
const PARTS = /\.?[^@.]*@?/g;

/** A text whose email addresses end lines at "@" and "." only, unless a part is longer than a line. */
export function EmailBreaks({ text }: { readonly text: string }) {
  if (!text.includes('@')) return text;
  return [...text.matchAll(PARTS)].map(({ 0: part, index: at }) => (
    <Fragment key={at}>
      <wbr />
      {part}
    </Fragment>
  ));
}
