/** A record of a file before its layout is known: the cells of a row by column, an object, or the reason why it is unreadable. */
export type RawRecord =
  | { readonly line: number; readonly cells: ReadonlyMap<string, string> }
  | { readonly line: number; readonly value: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly fault: string };

/** Thrown if a file as a whole cannot be read. The message has no content of the file. */
export class FileFault extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Returns the name of a column or member as layouts list it: lower case, letters, digits and dots only. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9.]/g, '');
