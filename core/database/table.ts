/** A stored value. Columns hold text and integers only, so that both databases store the same bytes. */
export type StoredValue = string | number | null;

/** A column of a table: its stored type, and the type of its values in TypeScript. */
interface Column<Value extends StoredValue = StoredValue> {
  readonly type: 'text' | 'integer';
  readonly nullable: boolean;
  /** Type only; has no value at run time. */
  readonly value?: Value;
}

interface RequiredColumn<Value extends string | number> extends Column<Value> {
  /** The same column, which may be null. */
  readonly optional: Column<Value | null>;
  /** The same column with a narrower type, such as a union of the values that are written to it. */
  of<Narrow extends Value>(): RequiredColumn<Narrow>;
}

function column<Value extends string | number>(type: Column['type']): RequiredColumn<Value> {
  return { type, nullable: false, optional: { type, nullable: true }, of: <Narrow extends Value>() => column<Narrow>(type) };
}

export const text = column<string>('text');
export const integer = column<number>('integer');

/** Returns the columns of rows that a scheduled job claims with a lease when they are due by a clock. */
export const dueColumns = <Time extends number>() => ({ due_ms: integer.of<Time>().optional, lease_ms: integer, fence: integer });

type Columns = Readonly<Record<string, Column>>;
type RowOfColumns<Of extends Columns> = { -readonly [Name in keyof Of]: Exclude<Of[Name]['value'], undefined> };
type ColumnName<Row> = keyof Row & string;

interface TableOptions<Row> {
  /** The primary key. Begins with tenant_id, except for tables that belong to no tenant. */
  key: readonly ColumnName<Row>[];
  unique?: readonly (readonly ColumnName<Row>[])[];
  indexes?: readonly { name: string; columns: readonly ColumnName<Row>[]; where?: string; unique?: boolean }[];
  /** Conditions that the database checks on every row. */
  checks?: readonly Check[];
  /** Columns by whose values the rows are counted for the totals of lists, the most selective one first. None of them is null. */
  counts?: { by: readonly ColumnName<Row>[]; unless?: ColumnName<Row> };
}

interface CountsShape {
  readonly by: readonly string[];
  /** Column whose rows with a value are not counted, such as the time of a deletion. */
  readonly unless?: string;
}

interface Check {
  readonly name: string;
  readonly expression: string;
}

interface IndexShape {
  readonly name: string;
  readonly columns: readonly string[];
  readonly where?: string;
  readonly unique?: boolean;
}

/** A table without the type of its rows, from which statements are built. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  readonly types: Readonly<Record<string, 'text' | 'integer'>>;
  /** Columns that may be null. */
  readonly nullable: readonly string[];
  readonly key: readonly string[];
  /** True if every statement on the table must name the tenant. */
  readonly tenantScoped: boolean;
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly IndexShape[];
  readonly checks: readonly Check[];
  /** Absent for tables whose rows are not counted. */
  readonly counts: CountsShape | undefined;
}

/** A table as its capability declares it. Tests compare the declarations with what the migrations create. */
export interface Table<Row, Name extends string = string> extends TableShape {
  readonly name: Name;
  readonly columns: readonly ColumnName<Row>[];
  readonly key: readonly ColumnName<Row>[];
  /**
   * A row without values, from which a new row is spread: omitted columns are then null, and the type requires all others. It has every column, because an
   * object that grows to many properties is copied several times.
   */
  readonly blank: Readonly<Record<NullableColumn<Row>, null>>;
  /** Type only; has no value at run time. */
  readonly row?: Row;
}

/** Quoted columns of every declared table, by its name. */
export const columnsByTable: Map<string, readonly string[]> = new Map();

/** Every declared table whose rows are counted, by its name. */
export const countedTables: Map<string, CountsShape> = new Map();

/** Returns the declared table with a primary key of this name, which is the one that PostgreSQL gives; undefined if there is none. */
export function tableOfConstraint(constraint: string): string | undefined {
  const name = /^(\w+)_pkey$/.exec(constraint)?.[1];
  return name !== undefined && columnsByTable.has(name) ? name : undefined;
}

/** The type of a table's rows. */
export type RowOf<Of extends { readonly row?: unknown }> = Exclude<Of['row'], undefined>;

type NullableColumn<Row> = { [Name in ColumnName<Row>]: null extends Row[Name] ? Name : never }[ColumnName<Row>];

/** Declares a table. The type of its rows follows from its columns. */
export function table<Name extends string, Of extends Columns>(
  name: Name,
  columns: Of,
  options: TableOptions<RowOfColumns<Of>>,
): Table<RowOfColumns<Of>, Name> {
  const names = Object.keys(columns) as ColumnName<RowOfColumns<Of>>[];
  const types: Record<string, 'text' | 'integer'> = {};
  for (const [column, { type }] of Object.entries(columns)) types[column] = type;
  columnsByTable.set(
    name,
    names.map((column) => `"${column}"`),
  );
  if (options.counts) countedTables.set(name, options.counts);
  return {
    name,
    columns: names,
    types,
    nullable: names.filter((column) => columns[column]?.nullable),
    key: options.key,
    unique: options.unique ?? [],
    indexes: options.indexes ?? [],
    checks: options.checks ?? [],
    counts: options.counts,
    tenantScoped: options.key[0] === 'tenant_id',
    blank: Object.fromEntries(names.map((column) => [column, null])) as Record<ColumnName<RowOfColumns<Of>>, null>,
  };
}
