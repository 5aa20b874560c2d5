/** An action on selected rows. */
export type BulkAction<Row> = ResultAction<Row> | WholeAction<Row>;

/** An action whose rows have a result each. */
export type ResultAction<Row> = EachAction<Row> | TogetherAction<Row>;

interface Explained<Row> {
  /** Verb and object: "Send receipts". */
  readonly label: string;
  /** Says what the action does to the rows, with the amounts if it moves money. */
  readonly explain: (rows: readonly Row[]) => string;
  /** Returns the reason why it is not possible for a row, which is then left out. */
  readonly reason?: (row: Row) => string | undefined;
  /** Called when all rows are done. */
  readonly onDone?: () => void;
}

/** An action that runs row by row. */
export interface EachAction<Row> extends Explained<Row> {
  /** Returns the result of a row, a text if it is done; "Done" if it returns nothing. */
  readonly run: (row: Row) => Promise<RowResult | string | undefined>;
}

/** Result of one row. */
export interface RowResult {
  readonly state: 'ok' | 'waiting' | 'failed';
  readonly text: string;
}

/** An action that can be undone and that one request carries out, so that Enter confirms it. */
interface TogetherAction<Row> extends Explained<Row> {
  /** Returns the results of rows, in their order. */
  readonly runTogether: (rows: readonly Row[]) => Promise<readonly RowResult[]>;
}

/** An action on all rows at once, such as an export. */
interface WholeAction<Row> {
  readonly label: string;
  readonly runAll: (rows: readonly Row[]) => void;
}
