import { Fragment } from 'react';

const ADDRESS = /@|:\/\//;
/** Parts of a text with an email or web address between which a line may end. */
const PARTS = /[./]?[^@./]*@?/g;

/** A text whose email and web addresses end lines at their signs only, unless a part is longer than a line. */
export function AddressBreaks({ text }: { readonly text: string }) {
  if (!ADDRESS.test(text)) return text;
  return [...text.matchAll(PARTS)].map(({ 0: part, index: at }) => (
    <Fragment key={at}>
      <wbr />
      {part}
    </Fragment>
  ));
}
