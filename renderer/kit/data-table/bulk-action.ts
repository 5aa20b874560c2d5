/** An action on selected rows. */
export type BulkAction<Row> = EachAction<Row> | WholeAction<Row>;

/** An action that runs row by row, each with its own result. */
export interface EachAction<Row> {
  /** Verb and object: "Send receipts". */
  readonly label: string;
  /** Says what the action does to the rows, with the amounts if it moves money. */
  readonly explain: (rows: readonly Row[]) => string;
  /** Returns the reason why it is not possible for a row, which is then left out. */
  readonly reason?: (row: Row) => string | undefined;
  /** Returns the result of a row, such as "Sent to ada@example.com"; "Done" if it returns nothing. */
  readonly run: (row: Row) => Promise<string | undefined>;
  /** Called when all rows are done. */
  readonly onDone?: () => void;
}

/** An action on all rows at once, such as an export. */
interface WholeAction<Row> {
  readonly label: string;
  readonly runAll: (rows: readonly Row[]) => void;
}
