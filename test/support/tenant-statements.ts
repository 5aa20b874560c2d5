import pg, { type Client } from 'pg';

/** Collects the prepared statements of every connection of this process, until `stop`. */
export function recordStatements(): { readonly texts: ReadonlySet<string>; stop(): void } {
  const texts = new Set<string>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [{ name?: string; text?: string } | string | undefined];
    if (typeof config === 'object' && config.name && config.text) texts.add(config.text);
    return Reflect.apply(query, this, given);
  } as typeof query;
  return {
    texts,
    stop: () => {
      pg.Client.prototype.query = query;
    },
  };
}

/** A step of a plan, as EXPLAIN returns it. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Operation?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly Step[];
}

const CONSTANT = String.raw`(?:\(?\$\d+\)?|'[^']*')(?:::text)?`;
const IS_CONSTANT = new RegExp(`^${CONSTANT}$`);

/** Finds statements that do not name the tenant of each table as a parameter or literal, and updates with volatile functions. */
export class TenantStatementChecker {
  readonly #client: Client;
  #tables: ReadonlyMap<string, string> = new Map();
  #volatile: ReadonlySet<string> = new Set();
  #n = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    // The ledger of the sandbox processor is in a schema of its own.
    await this.#client.query('SET search_path = public, sandbox_gateway; SET plan_cache_mode = force_generic_plan; SET jit = off');
    const { rows: tables } = await this.#client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id' AND ordinal_position = 1",
    );
    this.#tables = new Map([...tables.map(({ name }) => [name, 'tenant_id'] as const), ['tenants', 'id']]);
    const { rows: functions } = await this.#client.query<{ name: string }>("SELECT proname AS name FROM pg_proc WHERE provolatile = 'v'");
    this.#volatile = new Set(functions.map(({ name }) => name));
  }

  /** Returns the faults of a statement, from its plan: conditions that follow from others are in it too, as Citus sees them. */
  async faultsOf(text: string): Promise<string[]> {
    this.#n += 1;
    const name = `checked_${this.#n}`;
    await this.#client.query(`PREPARE ${name} AS ${text}`);
    const { rows: types } = await this.#client.query<{ n: number }>(
      'SELECT coalesce(cardinality(parameter_types), 0) AS n FROM pg_prepared_statements WHERE name = $1',
      [name],
    );
    const values = Array.from({ length: types[0]?.n ?? 0 }, () => 'NULL').join(', ');
    const { rows } = await this.#client.query<{ 'QUERY PLAN': readonly { Plan: Step }[] }>(
      `EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE ${name}${values && `(${values})`}`,
    );
    const faults = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => this.#faults(Plan)));
    return [...faults, ...this.#volatileFunctions(text)];
  }

  #faults(step: Step): string[] {
    const below = (step.Plans ?? []).flatMap((each) => this.#faults(each));
    const table = step['Relation Name'];
    const column = table && this.#tables.get(table);
    if (!table || !column) return below;
    if (step.Operation === 'Insert') return this.#insertsOneTenant(step) ? below : [...below, `inserts rows of any tenant into ${table}`];
    if (step['Node Type'] === 'ModifyTable') return below;
    const conditions = [step['Index Cond'], step['Recheck Cond'], step.Filter].join(' ');
    const named = new RegExp(String.raw`\b${column} = ${CONSTANT}`).test(conditions);
    return named ? below : [...below, `reads ${table} without the tenant`];
  }

  /** Rows of VALUES are sent to the node of their tenant each. Other rows need a tenant that is constant, or that a checked table has. */
  #insertsOneTenant({ Plans = [] }: Step): boolean {
    const rows = Plans.find((each) => each['Parent Relationship'] === 'Outer');
    const [tenant = ''] = rows?.Output ?? [];
    return rows?.['Node Type'] === 'Values Scan' || IS_CONSTANT.test(tenant);
  }

  /** Citus rejects volatile functions in statements that change distributed tables. */
  #volatileFunctions(text: string): string[] {
    if (!/\b(insert|update|delete)\b/i.test(text)) return [];
    const called = [...text.matchAll(/\b([a-z_]+)\(/g)].map(([, name = '']) => name);
    return called.filter((name) => this.#volatile.has(name)).map((name) => `calls ${name}()`);
  }
}
