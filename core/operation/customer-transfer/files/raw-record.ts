/** A record of a file before its layout is known: the cells of a row by column with the names of the file, an object, or the reason why it is unreadable. */
export type RawRecord =
  | { readonly line: number; readonly cells: ReadonlyMap<string, string>; readonly header: readonly string[] }
  | { readonly line: number; readonly value: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly fault: string };

/** Thrown if a file as a whole cannot be read. The message has no content of the file. */
export class FileFault extends Error {
  readonly line: number;
  /** Names of the columns, if none of them tells the layout. */
  readonly columns: readonly string[] | undefined;

  constructor(line: number, reason: string, columns?: readonly string[]) {
    super(reason);
    this.line = line;
    this.columns = columns;
  }
}

/** Returns the fault of a file whose names of columns or members belong to no known layout. */
export const unknownLayout = (line: number, columns?: readonly string[]) =>
  new FileFault(
    line,
    'the layout is unknown. Files of Authorize.Net, NMI, Stripe, Square, Shopify and Paydesk are recognized by the names of their columns. Name the columns of another list in `mapping`',
    columns,
  );

/** Returns the name of a column or member as layouts list it: lower case, letters, digits and dots only. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, '');
