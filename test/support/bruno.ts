/** A request file of a Bruno collection. */
interface BrunoRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Variables that are set from the response, by name. */
  readonly kept: Readonly<Record<string, string>>;
  /** True if a run of the collection leaves the request out. */
  readonly isSkipped: boolean;
  /** Status that its test expects. */
  readonly status: number;
}

const METHODS = ['get', 'post', 'put', 'delete'];

/** Reads a request file; returns null for another file of the collection. */
export function readBruno(text: string, variables: Readonly<Record<string, string>>): BrunoRequest | null {
  const blocks = new Map([...text.matchAll(/^([\w:-]+) \{\n([\s\S]*?)^\}$/gm)].map(([, name = '', content = '']) => [name, content]));
  const method = METHODS.find((name) => blocks.has(name));
  if (method === undefined) return null;
  const filled = (value: string) =>
    value.replaceAll('{{$guid}}', () => crypto.randomUUID()).replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => variables[name] ?? all);
  const path = entriesOf(blocks.get('params:path'));
  const url = Object.entries(path).reduce(
    (address, [name, value]) => address.replace(`:${name}`, value),
    entriesOf(blocks.get(method)).url ?? '',
  );
  const body = blocks.get('body:json');
  return {
    name: entriesOf(blocks.get('meta')).name ?? '',
    method: method.toUpperCase(),
    url: filled(url),
    headers: Object.fromEntries(Object.entries(entriesOf(blocks.get('headers'))).map(([name, value]) => [name, filled(value)])),
    ...(body === undefined ? {} : { body: filled(body) }),
    kept: entriesOf(blocks.get('vars:post-response')),
    isSkipped: blocks.get('script:pre-request')?.includes('bru.runner.skipRequest()') ?? false,
    status: Number(/to\.equal\((\d+)\)/.exec(blocks.get('tests') ?? '')?.[1]),
  };
}

/** Returns the variables of an environment file. */
export const variablesOf = (text: string): Record<string, string> => entriesOf(/^vars \{\n([\s\S]*?)^\}$/m.exec(text)?.[1]);

function entriesOf(block: string | undefined): Record<string, string> {
  return Object.fromEntries([...(block ?? '').matchAll(/^ {2}(~?[\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}
