import { expect, test } from 'vitest';
import { createBankShop } from '../../support/bank.ts';
import { documentOfRoutes } from '../../support/contract.ts';
import { BLOCK_MS_MAX, watchEventLoop } from '../../support/event-loop.ts';
import { type HostileFile, hostilePdfs, hostilePictures, hostileTexts, pdfFile } from '../../support/hostile-files.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { createSale } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, FULL, sized } from '../../support/server.ts';
import { pause } from '../../support/until.ts';

interface Schema {
  readonly contentMediaType?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Route {
  readonly method: string;
  readonly path: string;
  /** Field of the file. */
  readonly file: string;
  readonly fields: readonly string[];
}

const MEMORY_GROWTH_MAX = 700_000_000;

/** Every route of the document that takes a file: as a form, or as text in base64. */
function fileRoutes(): { forms: Route[]; texts: Route[] } {
  const { paths } = withoutReferences(documentOfRoutes() as unknown as { paths: Record<string, Record<string, Operation>> });
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({ path, method, type, schema })),
    ),
  );
  const routesOf = (type: string, isFile: (schema: Schema) => boolean) =>
    bodies
      .filter((body) => body.type === type)
      .flatMap(({ path, method, schema: { properties = {}, required = [] } }) =>
        Object.keys(properties)
          .filter((name) => isFile(properties[name] ?? {}))
          .map((file) => ({ method, path, file, fields: required.filter((name) => name !== file) })),
      );
  return {
    forms: routesOf('multipart/form-data', ({ contentMediaType }) => contentMediaType !== undefined),
    texts: routesOf('application/json', (schema) => JSON.stringify(schema).includes(';base64,')),
  };
}

/** Requests the health of the service repeatedly. `end` returns the number of answers. */
function askHealth(health: () => Promise<{ status: number }>) {
  let isEnded = false;
  const asking = (async () => {
    let answers = 0;
    for (; !isEnded; answers += 1) {
      expect((await health()).status).toBe(200);
      // Without a pause, these requests would take more processor time than the files.
      await pause(5);
    }
    return answers;
  })();
  return {
    end(): Promise<number> {
      isEnded = true;
      return asking;
    },
  };
}

const { forms, texts } = fileRoutes();
const files = [...hostilePictures(), ...hostilePdfs(), ...hostileTexts()];
/** Returns a sixth of the files for a route, and another sixth for the next one: everyday tests send the first sixth. */
const sixthFor = (route: Route, sixth: number) => files.filter((_, index) => (index + forms.indexOf(route)) % 6 === sixth);
/** Sixths that only the full tier sends; the siege tier sends all. */
const FURTHER = sized([3], [1, 2, 3, 4, 5]);

/** Files at the limits of their formats: as many lines as are accepted, and the longest ones. */
function largestFiles() {
  const rows = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, index) => row(index)).join('\n');
  const header = JSON.stringify({ paydesk: 'recording', version: 1, name: 'large', startsAt: '10:00:00.000', steps: 1 });
  const step = (answer: string) =>
    `{"step":1,"afterSeconds":0,"request":"GET /","operation":"nothing","merchant":null,"status":200,"events":[],"answer":${answer}}`;
  const replays = '/api/v1/sandbox/replays';
  return [
    {
      name: 'items',
      path: '/api/v1/items/import',
      content: `name,price,barcode\n${rows(1_900, (index) => `Item ${index},1,${index + 100_000}`)}`,
    },
    {
      name: 'card ranges',
      path: '/api/v1/card-ranges/import',
      content: `bin,type\n${rows(200_000, (index) => `${20_000_000 + index},credit`)}`,
    },
    { name: 'customers', path: '/api/v1/customers/imports', content: `[${rows(200, () => `{"a":"${'x'.repeat(250_000)}"},`)}{}]` },
    {
      name: 'nested customers',
      path: '/api/v1/customers/imports',
      content: `[${rows(200, () => `{"a":[${'[0],'.repeat(60_000)}0]},`)}{}]`,
    },
    {
      name: 'bank statement',
      path: '/api/v1/settlement/bank-statements',
      content: `OFXHEADER:100\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>12345678</BANKACCTFROM><BANKTRANLIST>${rows(20_000, (index) => `<STMTTRN><DTPOSTED>20260101<TRNAMT>${index + 1}.00<FITID>${index}<NAME>Name</STMTTRN>`)}</BANKTRANLIST></STMTRS></OFX>`,
    },
    {
      name: 'report of a processor',
      path: '/api/v1/settlement/imports',
      content: `name,price,date\n${rows(50_000, (index) => `txn_${index},1.00,2026-01-01`)}`,
    },
    { name: 'steps of a recording', path: replays, content: `${header}\n${rows(10_000, () => step('"x"'))}` },
    { name: 'a long step of a recording', path: replays, content: `${header}\n${step(`[${'[0],'.repeat(4_000_000)}0]`)}` },
    { name: 'empty lines of a recording', path: replays, content: `${header}\n${'\n'.repeat(16_000_000)}` },
  ];
}

describeOnAnyDatabase('hostile files', (fixture) => {
  /** Values of path parameters and of required fields, by name. A route with another one needs its value here. */
  async function requestValues(): Promise<Record<string, string>> {
    const { transactionId } = await createSale(fixture(), 42);
    const { disputeId } = await expectData(fixture().api.admin.post<{ disputeId: string }>('/disputes', { transactionId }), 201);
    const { bankAccountId } = await createBankShop(fixture());
    const { merchantId } = fixture().credentials;
    const mapping = JSON.stringify({ transactionId: 'name', amount: 'price', date: 'date' });
    return { id: disputeId, merchantId, item: 'receipt', bankAccountId, mapping, key: 'x'.repeat(64) };
  }

  /** Returns the function that sends a file, whose form is encoded before it is called. */
  function requestOf({ method, path, file, fields }: Route, { content }: HostileFile, values: Record<string, string>) {
    const given = (name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`This test needs a value of \`${name}\` for ${path}.`);
      return value;
    };
    const { api } = fixture();
    const isPublic = path.startsWith('/api/v1/public/');
    const surface = isPublic ? api.public : api.admin;
    const address = path.replace(isPublic ? '/api/v1/public' : '/api/v1', '').replaceAll(/\{(\w+)\}/g, (_all, name: string) => given(name));
    const form = new FormData();
    for (const name of fields) form.set(name, given(name));
    form.set(file, new Blob([new Uint8Array(content)]), 'file');
    return () => surface[method as 'post'](address, form);
  }

  async function sendAll(route: Route, sent: readonly HostileFile[]): Promise<void> {
    const values = await requestValues();
    await requestOf(route, { name: 'harmless', content: pdfFile([]) }, values)();
    const memory = process.memoryUsage.rss();
    const problems: string[] = [];
    for (const file of sent) {
      const send = requestOf(route, file, values);
      const [loop, health] = [watchEventLoop(), askHealth(() => fixture().api.bare.get('/health'))];
      const { status, text } = await send();
      const [blockMs, answers] = [loop.end(), await health.end()];
      const grown = process.memoryUsage.rss() - memory;
      const isAnswered = status < 500 && status !== 429 && answers > 0;
      if (!isAnswered || blockMs > BLOCK_MS_MAX || grown > MEMORY_GROWTH_MAX)
        problems.push(`${file.name}: ${status}, ${Math.round(blockMs)} ms, ${grown} bytes, ${text.slice(0, 100)}`);
    }
    expect(problems).toEqual([]);
  }

  test.each(forms)('are refused by $method $path, while others are served', (route) =>
    // A route that needs no credentials answers few requests, and none after the setup.
    sendAll(route, route.path.startsWith('/api/v1/setup/') ? files.slice(0, 1) : sixthFor(route, 0)),
  );

  test.each(forms.filter(({ path }) => !path.startsWith('/api/v1/setup/')))('of other kinds are refused by $method $path', FULL, (route) =>
    sendAll(
      route,
      FURTHER.flatMap((sixth) => sixthFor(route, sixth)),
    ),
  );

  test('are refused as text in base64', async () => {
    expect(texts.map(({ path, file }) => `${path} ${file}`)).toEqual(['/api/v1/merchants/{id}/branding logoUrl']);
    const { merchantId } = fixture().credentials;
    // The routes that take a form read all pictures in the same way.
    for (const { content, name } of hostilePictures().filter((_, index) => index % sized(3, 1) === 0)) {
      const type = ['png', 'jpeg', 'webp'].find((each) => name.toLowerCase().startsWith(each)) ?? 'png';
      const body = JSON.stringify({ logoUrl: `data:image/${type};base64,${content.toString('base64')}` });
      const loop = watchEventLoop();
      const { status, text } = await fixture().api.admin.put(`/merchants/${merchantId}/branding`, body);
      expect([200, 400, 413], `${name}: ${text.slice(0, 200)}`).toContain(status);
      if (status === 400) expect(JSON.parse(text).error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'logoUrl' });
      expect(loop.end(), name).toBeLessThan(BLOCK_MS_MAX);
    }
  });

  test.each(largestFiles())('of the largest accepted size ($name) do not block others', async ({ path, content }) => {
    const route = forms.find((each) => each.path === path);
    if (route === undefined) throw new Error(`There is no route ${path}.`);
    const send = requestOf(route, { name: '', content: Buffer.from(content) }, await requestValues());
    const loop = watchEventLoop();
    const { status, text } = await send();
    const blockMs = loop.end();
    expect(status, text.slice(0, 200)).toBeLessThan(500);
    expect(blockMs).toBeLessThan(BLOCK_MS_MAX);
  });
});
