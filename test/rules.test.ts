// The rules that no compiler checks: which code may import which, what belongs in which folder, and how long a file may be.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { drawn } from '../scripts/architecture.ts';
import { EXTERNAL_PACKAGES } from '../scripts/external-packages.ts';
import { migrationLists } from '../scripts/list-migrations.ts';
import { AREAS, arrowsUp, ringsOf } from './support/areas.ts';
import { untypedFunctions, unusedExports, unusedReExports } from './support/imports.ts';
import { filesOf, ROOT, type SourceFile } from './support/sources.ts';

const RULE = {
  restricted: 'lint/style/noRestrictedImports',
  cycle: 'lint/suspicious/noImportCycles',
  node: 'lint/correctness/noNodejsModules',
  any: 'lint/suspicious/noExplicitAny',
  console: 'lint/suspicious/noConsole',
  extension: 'lint/correctness/useImportExtensions',
} as const;

const importing = (specifier: string) => `import { thing } from '${specifier}';\n\nexport const used = thing;\n`;
const importingType = (specifier: string) => `import type { Thing } from '${specifier}';\n\nexport type Used = Thing;\n`;

/** One violation per rule: the file, its text, and the rule that must report it. */
const BAD: [path: string, text: string, rule: string][] = [
  ['shared/bad-core.ts', importing('#core/kernel'), RULE.restricted],
  ['shared/bad-path.ts', importing('../core/kernel/money.ts'), RULE.restricted],
  ['shared/bad-node.ts', importing('node:fs'), RULE.node],
  ['core/kernel/bad-capability.ts', importing('#core/sales/payments'), RULE.restricted],
  ['core/kernel/bad-root.ts', importing('#core'), RULE.restricted],
  ['core/kernel/bad-up.ts', importing('../payments/types.ts'), RULE.restricted],
  ['core/kernel/bad-type.ts', importingType('#core/sales/payments'), RULE.restricted],
  ['core/sales/payments/bad-neighbour.ts', importing('../vault/cards.ts'), RULE.restricted],
  ['core/sales/payments/bad-neighbour-face.ts', importing('../vault/index.ts'), RULE.restricted],
  ['core/sales/payments/bad-neighbour-type.ts', importingType('../vault/index.ts'), RULE.restricted],
  ['core/sales/payments/inner/bad-neighbour.ts', importing('../../vault/index.ts'), RULE.restricted],
  ['core/sales/payments/bad-composition.ts', importing('#core'), RULE.restricted],
  ['core/sales/payments/bad-deep.ts', importing('#core/records/vault/cards'), RULE.restricted],
  ['core/sales/payments/bad-server.ts', importing('#server'), RULE.restricted],
  ['core/sales/payments/bad-migrations.ts', importing('#migrations'), RULE.restricted],
  ['core/sales/payments/bad-bridge.ts', importingType('#bridge'), RULE.restricted],
  ['core/sales/payments/bad-fastify.ts', importing('fastify'), RULE.restricted],
  ['core/sales/payments/bad-fastify-part.ts', importing('@fastify/static'), RULE.restricted],
  ['core/sales/payments/bad-electron.ts', importing('electron'), RULE.restricted],
  ['core/sales/payments/bad-react.ts', importing('react'), RULE.restricted],
  ['core/sales/payments/bad-mui.ts', importing('@mui/material'), RULE.restricted],
  ['core/sales/payments/bad-console.ts', "console.log('said');\n", RULE.console],
  ['core/bad-console.ts', "console.error('said');\n", RULE.console],
  ['server/routes/refunds/bad-neighbour.ts', importing('../../http/route.ts'), RULE.restricted],
  ['core/platform/scheduling/bad-neighbour.ts', importing('../outbound/target.ts'), RULE.restricted],
  ['core/platform/scheduling/bad-path.ts', importing('../../vault/index.ts'), RULE.restricted],
  ['server/bad-core-inside.ts', importing('../core/sales/payments/index.ts'), RULE.restricted],
  ['server/bad-storage.ts', importing('typeorm'), RULE.restricted],
  ['server/bad-sqlite.ts', importing('better-sqlite3'), RULE.restricted],
  ['server/bad-postgres.ts', importing('pg'), RULE.restricted],
  ['server/bad-renderer.ts', importing('#renderer/base/client'), RULE.restricted],
  ['server/bad-any.ts', 'export function f(x: any) {\n  return x;\n}\n', RULE.any],
  ['electron/bad-storage.ts', importing('typeorm'), RULE.restricted],
  ['electron/bad-renderer.ts', importingType('#renderer/base/client'), RULE.restricted],
  ['electron/bad-path.ts', importing('../server/operation/compose.ts'), RULE.restricted],
  ['electron/window/bad-path.ts', importing('../../server/compose.ts'), RULE.restricted],
  ['electron/window/bad-storage.ts', importing('pg'), RULE.restricted],
  ['migrations/bad-server.ts', importing('#server'), RULE.restricted],
  ['migrations/bad-core.ts', importing('#core/sales/payments'), RULE.restricted],
  ['migrations/bad-path.ts', importing('../core/database/table.ts'), RULE.restricted],
  ['renderer/screens/bad-core.ts', importingType('#core'), RULE.restricted],
  ['renderer/screens/bad-capability.ts', importingType('#core/sales/payments'), RULE.restricted],
  ['renderer/screens/bad-server.ts', importing('#server/schemas'), RULE.restricted],
  ['renderer/screens/bad-migrations.ts', importing('#migrations'), RULE.restricted],
  ['renderer/screens/bad-electron.ts', importing('electron'), RULE.restricted],
  ['renderer/screens/bad-node.ts', importing('node:fs'), RULE.node],
  ['renderer/screens/bad-neighbour.tsx', importing('../ui/money-text.tsx'), RULE.restricted],
  ['renderer/screens/sell/bad-neighbour.tsx', importing('../../ui/index.ts'), RULE.restricted],
  ['renderer/screens/sell/form/bad-neighbour.tsx', importing('../../invoices/queries.ts'), RULE.restricted],
  ['renderer/screens/sell/form/bad-core.ts', importingType('#core'), RULE.restricted],
  ['renderer/screens/bad-extension.ts', importing('./good'), RULE.extension],
  ['core/circle/bad-one.ts', "import { two } from './bad-two.ts';\n\nexport const one = () => two;\n", RULE.cycle],
  ['core/circle/bad-two.ts', "import { one } from './bad-one.ts';\n\nexport const two = () => one;\n", RULE.cycle],
  ['core/ring/bad-one.ts', "import type { Two } from './bad-two.ts';\n\nexport type One = { two: Two };\n", RULE.cycle],
  ['core/ring/bad-two.ts', "import type { One } from './bad-one.ts';\n\nexport type Two = { one: One };\n", RULE.cycle],
];

/** Imports that the same rules must accept. */
const GOOD: [path: string, text: string][] = [
  ['shared/good.ts', importing('./currencies.ts')],
  ['core/kernel/good-shared.ts', importing('#shared/currencies')],
  ['core/sales/payments/good-shared.ts', importing('#shared/currencies')],
  ['renderer/screens/good-shared.ts', importing('#shared/currencies')],
  ['core/kernel/good.ts', importing('./money.ts')],
  ['core/kernel/good-node.ts', importing('node:crypto')],
  ['core/index.ts', importing('#core/sales/payments')],
  ['core/sales/payments/good-own.ts', importing('./steps.ts')],
  ['core/sales/payments/good-kernel.ts', importing('#core/kernel')],
  ['core/sales/payments/good-capability.ts', importing('#core/records/vault')],
  ['core/sales/payments/good-platform.ts', importing('#core/platform/scheduling')],
  ['core/platform/scheduling/good-database.ts', importing('#core/database')],
  ['core/sales/payments/good-type.ts', importingType('#core/database')],
  ['core/sales/payments/inner/good-up.ts', importing('../steps.ts')],
  ['core/sales/payments/inner/good-sibling.ts', importing('../other/steps.ts')],
  ['core/database/good-storage.ts', importing('typeorm')],
  ['server/good.ts', importing('#core')],
  ['server/good-capability.ts', importing('#core/sales/payments')],
  ['server/operation/compose.ts', importing('#migrations')],
  ['server/routes/refunds/good-up.ts', importing('../dated-export.ts')],
  ['server/routes/refunds/good-schemas.ts', importing('#server/schemas')],
  ['server/good-console.ts', "console.error('said');\n"],
  ['electron/good.ts', importing('#server')],
  ['electron/good-electron.ts', importing('electron')],
  ['electron/window/good-sibling.ts', importing('../service/port.ts')],
  ['migrations/good.ts', importingType('#core/database')],
  ['migrations/good-typeorm.ts', importing('typeorm')],
  ['renderer/screens/good.ts', "import { thing } from '#renderer/kit/ui';\n\nexport const used = thing;\n"],
  ['renderer/screens/good-bridge.ts', importingType('#bridge')],
  ['renderer/screens/sell/form/good-sibling.tsx', importing('../charge/request.ts')],
  ['renderer/screens/good-up.tsx', importing('../routes.tsx')],
  ['renderer/screens/good-package.tsx', importing('@mui/material')],
  ['test/unit/good.ts', importing('#core/sales/payments')],
  ['test/unit/good-deep.ts', importing('../../core/payments/steps.ts')],
];

describe('imports', () => {
  const planted = mkdtempSync(join(tmpdir(), 'paydesk-rules-'));
  let found: { path: string; category: string }[] = [];

  beforeAll(() => {
    for (const name of ['biome.json', '.gitignore']) cpSync(join(ROOT, name), join(planted, name));
    // Only the first one is part of the repository.
    for (const name of ['some.json', 'ready.json', 'openapi.json']) writeFileSync(join(planted, name), '{ "twice": 1, "twice": 2 }\n');
    for (const [path, text] of [...BAD, ...GOOD]) {
      mkdirSync(dirname(join(planted, path)), { recursive: true });
      writeFileSync(join(planted, path), text);
    }
    found = lint(planted);
  });
  afterAll(() => rmSync(planted, { recursive: true, force: true }));

  test('are not looked for in files that Git ignores, such as the ready line with its credentials', () => {
    expect(found.filter(({ path }) => path.endsWith('.json')).map(({ path }) => path)).toEqual(['some.json']);
  });

  test.each(BAD)('finds %s', (path, _text, rule) => {
    expect(found.filter((each) => each.path === path).map((each) => each.category)).toEqual([rule]);
  });

  test.each(GOOD)('accepts %s', (path) => {
    expect(found.filter((each) => each.path === path)).toEqual([]);
  });

  test.each([
    ['#core/kernel', 0],
    ['#core/kernel/money', 1],
  ])('the import of %s ends with code %i', (specifier, code) => {
    const node = spawnSync(process.execPath, ['--input-type=module', '-e', `await import('${specifier}')`], { cwd: ROOT });
    expect(node.status).toBe(code);
  });
});

describe('migrations', () => {
  test('migrations/classes.ts lists every migration of the folder once', () => {
    const classes = filesOf('migrations', ['classes.ts']).at(0)?.text ?? '';
    const listed = [...classes.matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1]);
    expect(listed.toSorted()).toEqual(migrationFiles().toSorted());
  });

  test.each(migrationFiles())('requires 13 digits of time and a purpose in the name of %s', (name) => {
    expect(name).toMatch(/^\d{13}-[a-z0-9]+(-[a-z0-9]+)*\.ts$/);
  });
});

describe('areas', () => {
  test.each(Object.entries(AREAS))('no folder of %s imports a folder above it', (part, areas) => {
    expect(arrowsUp(part, areas, filesOf(part, ['.ts', '.tsx']))).toEqual([]);
  });

  test('names an import that goes up, and a folder that is in no area', () => {
    const file = (path: string, specifier: string) => ({ path, text: importing(specifier) });
    const files = [
      file('core/records/vault/seal.ts', '#core/sales/payments'),
      file('core/sales/payments/sell.ts', '../../kernel/money.ts'),
      file('core/money/round.ts', '#core/kernel'),
    ];
    expect(arrowsUp('core', AREAS.core, files)).toEqual([
      'core/records/vault/seal.ts -> core/sales/payments',
      'core/money/round.ts is in no area',
    ]);
  });
});

describe('capabilities', () => {
  test('have no ring of files and folders', () => {
    const files = ['core', 'server', 'renderer'].flatMap((part) => filesOf(part, ['.ts', '.tsx']));
    const depthOf = (path: string) => (path.startsWith('server/') ? 2 : 3);
    const capabilities = new Set(files.map(({ path }) => path.split('/').slice(0, depthOf(path)).join('/')));
    expect([...capabilities].filter((capability) => ringsOf(capability, files).length > 0)).toEqual([]);
  });

  test('names the files and folders of a ring', () => {
    const file = (path: string, specifier: string) => ({ path: `core/sales/items/${path}`, text: importing(specifier) });
    const files = [
      file('sell.ts', './parts/tax.ts'),
      file('parts/tax.ts', '../rates.ts'),
      file('rates.ts', './parts/round.ts'),
      file('parts/round.ts', './tax.ts'),
    ];
    expect(ringsOf('core/sales/items', files)).toEqual([['parts', 'rates.ts']]);
  });
});

describe('index.ts files', () => {
  test('re-exports only names that another file imports', () => {
    // The index of the client package is what other programs import.
    const files = filesOf('.', ['.ts', '.tsx', '.mjs']).filter(({ path }) => path !== 'clients/node/src/index.ts');
    expect(unusedReExports(files)).toEqual([]);
  });

  test('finds a re-exported name that no file imports', () => {
    const files = [
      { path: 'core/records/vault/index.ts', text: "export { type Lock, seal } from './seal.ts';\n" },
      { path: 'core/sales/payments/sell.ts', text: "import { seal } from '#core/records/vault';\n" },
    ];
    expect(unusedReExports(files)).toEqual(['core/records/vault/index.ts: Lock']);
  });
});

describe('exports', () => {
  test('every exported value is named in another file', () => {
    // Migrations are listed by name in classes.ts; the client package and examples are what other programs read.
    const files = filesOf('.', ['.ts', '.tsx', '.mjs']).filter(({ path }) => !/^(clients|examples)\//.test(path));
    expect(unusedExports(files)).toEqual([]);
  });

  test('finds an exported value that only its own file names', () => {
    const files = [
      { path: 'core/records/vault/seal.ts', text: 'export const seal = () => open();\nexport function open() {}\n' },
      { path: 'core/sales/payments/sell.ts', text: "import { seal } from '#core/records/vault';\n" },
    ];
    expect(unusedExports(files)).toEqual(['core/records/vault/seal.ts: open']);
  });

  test('functions of core state their return type', () => {
    expect(untypedFunctions(filesOf('.', ['.ts']).filter(({ path }) => path.startsWith('core/')))).toEqual([]);
  });

  test('finds an exported function without a return type that is neither a constructor nor a single return', () => {
    const text = `export async function pay(
  deps: Deps,
) {
  await deps.ask();
}

export function createVault(deps: Deps) {
  const keys = new Map();
}

export function columnsOf(row: Row) {
  return { id: row.id };
}

export function seal(text: string): string {
  const sealed = text;
}
`;
    expect(untypedFunctions([{ path: 'core/a.ts', text }])).toEqual(['core/a.ts: pay']);
  });
});

describe('statements', () => {
  const service = filesOf('.', ['.ts']).filter(({ path }) => /^(core|server|electron)\//.test(path));
  const capability = ({ path }: SourceFile) =>
    /^core\/(?:(?:platform|records|processing|access|sales|billing|books|operation)\/)?[^/]+\//.exec(path)?.[0];
  const declaredTables = service.flatMap(({ text }) =>
    [...text.matchAll(/^export const ([A-Z_]+) = table\(/gm)].map(([, name]) => name ?? ''),
  );

  /** Code that reads tables of any capability, or a database that is not opened yet. */
  const ANY_TABLE =
    /^core\/(database|records\/backup|platform\/(scheduling|integrity))\/|^core\/(books\/reporting\/integrity-check|records\/vault\/lock)\.ts$|^server\/operation\/(setup\/join|installation-parts)\.ts$/;

  test('statements are typed queries; SQL text is used only where any table is read, and in statements for many rows', () => {
    const statement = /['"`](\s*)(SELECT\s[^;]+?\sFROM|INSERT INTO \w|UPDATE \w+ SET|DELETE FROM \w|WITH \w+ AS)\b/i;
    const withoutBulkStatements = (text: string) =>
      text.replaceAll(/^const \w+ = \([^)]*\): BulkStatement<[\s\S]*?^\}\);$|^export const \w+: BulkStatement<[\s\S]*?^\};$/gm, '');
    const isText = ({ path, text }: SourceFile) => !ANY_TABLE.test(path) && statement.test(withoutBulkStatements(text));
    expect(pathsWhere(service, isText)).toEqual([]);
  });

  test('statements name the tables of their own capability, and of others only read models', () => {
    const isForeign = (file: SourceFile) =>
      [...file.text.matchAll(/import \{([^}]*)\} from '#core\/[^']+'/g)]
        .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
        .some((name) => declaredTables.includes(name));
    expect(declaredTables).toContain('TRANSACTIONS');
    expect(pathsWhere(service, (file) => capability(file) !== undefined && isForeign(file))).toEqual([]);
  });

  test('statements that guard or feed many rows are exported, so that a test prepares all of them', () => {
    expect(pathsWhere(service, ({ text }) => /^const \w+: (GuardedUpdate|BulkStatement)</m.test(text))).toEqual([]);
  });
});

test.each(Object.entries(migrationLists()))('migrations/%s lists every migration; `npm run migrations` writes it', (file, text) => {
  expect(filesOf('migrations', [file]).at(0)?.text).toBe(text);
});

test('ARCHITECTURE.md shows the imports of the code; `npm run architecture` draws them', () => {
  const document = filesOf('.', ['ARCHITECTURE.md']).at(0)?.text ?? '';
  expect(document).toBe(drawn(document));
});

test('who installs the package gets the packages that no bundle contains, and no other one', () => {
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...EXTERNAL_PACKAGES, 'electron-updater', 'fflate'].toSorted());
});

describe('package-lock.json', () => {
  interface Locked {
    gypfile?: boolean;
    optionalDependencies?: Record<string, string>;
  }
  const lock = JSON.parse(filesOf('.', ['package-lock.json']).at(0)?.text ?? '') as { packages: Record<string, Locked> };

  test('names the packages of every platform, because `npm ci` refuses a lock without one', () => {
    const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
    expect(wanted.filter((name) => !Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
  });

  // `npm install` removes the mark, and an npm without allowScripts then compiles the prebuilt package.
  test('marks better-sqlite3 as nothing to compile', () => {
    expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
  });
});

const pathsWhere = (files: readonly SourceFile[], isWrong: (file: SourceFile) => boolean) => files.filter(isWrong).map(({ path }) => path);

describe('tests', () => {
  const tests = filesOf('test', ['.ts', '.tsx']).filter(
    ({ path }) => !/^test\/(bench|runner)\/|^test\/(rules\.test|support\/until)\.ts$/.test(path),
  );

  test('wait for conditions, not for durations: only support/until.ts sets a timer and waits for it', () => {
    // A pause inside a page of the desktop application lets that page act.
    const wait = /^(?!.*inPage\().*setTimeout\(\s*(resolve|done|next)\b|setTimeout.*timers\/promises|waitForTimeout\(/m;
    expect(pathsWhere(tests, ({ text }) => wait.test(text))).toEqual([]);
  });

  test('pause for at most 200 ms', () => {
    const isShort = (text: string, ms: string) => {
      const number = /^[\d_]+$/.test(ms) ? ms : /^\w+$/.test(ms) ? new RegExp(`const ${ms} = ([\\d_]+);`).exec(text)?.[1] : undefined;
      return Number((number ?? '0').replaceAll('_', '')) <= 200;
    };
    const pauses = ({ text }: SourceFile) => [...text.matchAll(/\bpause\(([^)]*)\)/g)].map(([, ms = '']) => ms);
    expect(pathsWhere(tests, (file) => !pauses(file).every((ms) => isShort(file.text, ms)))).toEqual([]);
  });

  test('write no random decimal into a text, because one in 34 has the digits of a card number and is refused', () => {
    expect(pathsWhere(tests, ({ text }) => /\$\{Math\.random\(\)\}/.test(text))).toEqual([]);
  });
});

test('mutation testing copies every folder that its rules and their tests import', () => {
  const named = (file: string, pattern: RegExp) =>
    filesOf('test/mutation', [file]).flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const copied = named('stryker.config.mjs', /'!([\w/]+)\/\*\*'/g);
  const names = named('vitest.config.ts', /^ {2}'([\w/-]+)',$/gm).map((name) => `test/unit/${name}.test.ts`);
  const tests = filesOf('test/unit', ['.ts']).filter(({ path }) => names.includes(path));
  expect(tests).toHaveLength(names.length);
  const outside = [...tests, ...filesOf('core', ['.ts']), ...filesOf('shared', ['.ts'])].flatMap(({ path, text }) =>
    [...text.matchAll(/from '(#|\.{1,2}\/)([^']+)'/g)]
      .map(([, start, rest = '']) => (start === '#' ? rest : join(dirname(path), `${start}${rest}`)))
      .filter((target) => !copied.some((folder) => target.startsWith(`${folder}/`)) && !/^(core|shared)$/.test(target)),
  );
  expect(outside).toEqual([]);
});

describe('screens', () => {
  test('are laid out by start and end, so that a language from right to left needs no other layout', () => {
    const physical =
      /[{,(?\s](m[lr]|p[lr]|(margin|padding|border)(Left|Right)\w*|border(Top|Bottom)(Left|Right)Radius): |textAlign: [^\n]*'(left|right)'/;
    expect(pathsWhere(filesOf('renderer', ['.ts', '.tsx']), ({ text }) => physical.test(text))).toEqual([]);
  });

  test('ask for days and times with the fields of date-entry, because those of the browser are in the language of the computer', () => {
    const browserField = /\btype[=:] ?\{?["'](date|time|datetime-local|month|week)["']/;
    expect(browserField.test('<TextField type="date" />')).toBe(true);
    expect(pathsWhere(filesOf('renderer', ['.tsx']), ({ text }) => browserField.test(text))).toEqual([]);
  });

  test('import the library of the date fields only in date-entry, which loads it when the first field is shown', () => {
    const library = /from '(@mui\/x-date-pickers|dayjs)\b/;
    const isElsewhere = ({ path, text }: SourceFile) => !path.startsWith('renderer/session/date-entry/') && library.test(text);
    expect(pathsWhere(filesOf('renderer', ['.ts', '.tsx']), isElsewhere)).toEqual([]);
  });

  test('send forms with useSubmit, which refreshes, confirms and closes after success', () => {
    const success = /^( *)onSuccess: .*=> \{\n((?:\1 .*\n)*)/gm;
    const isRepeated = ({ text }: SourceFile) =>
      [...text.matchAll(success)].some(([, , body = '']) => /(announce|showToast)\(/.test(body) && /\b(onClose|close)\(\)/.test(body));
    expect(pathsWhere(filesOf('renderer', ['.ts', '.tsx']), isRepeated)).toEqual([
      // An import with refused rows stays open, and a new code is shown once.
      'renderer/kit/file-import/checked-import-dialog.tsx',
      'renderer/shared/gift-cards/store-credit-refund.tsx',
    ]);
  });

  test('create stores with createStore, so that a reset of the application includes them', () => {
    const files = filesOf('renderer', ['.ts', '.tsx']).filter(({ path }) => !path.startsWith('renderer/base/module-state/'));
    expect(pathsWhere(files, ({ text }) => /from 'zustand'/.test(text))).toEqual([]);
  });

  test('reset the variables of their modules, apart from those that belong to the loaded page or to mounted components', () => {
    const variable = /^(export )?(let |const \w+(: (?!Readonly)[^=]+)? = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\))/m;
    const files = filesOf('renderer', ['.ts', '.tsx']).filter(({ text }) => variable.test(text) && !text.includes('onReset('));
    expect(files.map(({ path }) => path)).toEqual([
      // Its handler is set when a module is loaded.
      'renderer/base/client/api.ts',
      // Formatters by time zone, which never change.
      'renderer/base/dates/date-format.ts',
      // The page is loaded again for another language.
      'renderer/base/language/language.ts',
      // Loaded code.
      'renderer/kit/ui/lazy.tsx',
      // Texts of the language of the page.
      'renderer/session/date-entry/locale.ts',
      'renderer/start.tsx',
    ]);
  });
});

describe('files', () => {
  // This file contains the forbidden texts.
  const texts = filesOf('.', ['.ts', '.tsx', '.mjs', '.md', '.json', '.yml', '.html', '.css', '.svg', 'run']).filter(
    ({ path }) => path !== 'test/rules.test.ts',
  );
  const code = texts.filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path));
  const LINES_MAX = 500;

  test('keeps every file below 500 lines', () => {
    expect(pathsWhere(code, ({ text }) => text.split('\n').length > LINES_MAX)).toEqual([]);
  });

  test('keeps transactions and repositories of TypeORM out of reach of the unit of work', () => {
    const bypass = /\b(manager|dataSource|source|queryRunner)\.transaction\(|getRepository|startTransaction/;
    expect(pathsWhere(code, ({ path, text }) => !path.startsWith('core/database/') && bypass.test(text))).toEqual([]);
  });

  test('names files in kebab case, React components in Pascal case, and API tests by method and path', () => {
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
    const component = /^[A-Z][A-Za-z0-9]*(\.test)?\.tsx$/;
    const apiTest = /^(GET|POST|PUT|DELETE)-[a-z0-9-]+\.test\.ts$/;
    const isOdd = (name: string) => ![kebab, component, apiTest].some((form) => form.test(name));
    expect(pathsWhere(code, ({ path }) => isOdd(path.slice(path.lastIndexOf('/') + 1)))).toEqual([]);
  });

  test('gives every folder and file a specific name', () => {
    const vague = /(^|\/)(utils?|helpers?|services?|common|managers?|misc)(\/|\.|$)/;
    expect(pathsWhere(code, ({ path }) => vague.test(path))).toEqual([]);
  });

  test('no file postpones work, skips tests or suppresses checks', () => {
    const marks = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)|\b(test|describe|it)\.(skip|only|todo)\b/;
    expect(pathsWhere(code, ({ text }) => marks.test(text))).toEqual([]);
  });

  test('contains no path of a developer machine and no address of a package mirror', () => {
    const machinePath = /["'`\s(=]\/(work|root|home|Users|tmp)\//;
    const mirror = /"resolved": "https?:\/\/(?!registry\.npmjs\.org\/)/;
    expect(pathsWhere(texts, ({ text }) => machinePath.test(text) || mirror.test(text))).toEqual([]);
  });
});

describe('references', () => {
  const documents = filesOf('.', ['.md']);
  const records = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  const proseOf = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '');
  /** The anchor that a heading gets on the page: lower case, no punctuation, dashes for spaces. */
  const anchorsOf = (text: string) =>
    [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
        .replaceAll(' ', '-'),
    );
  const missing = (folder: string, target: string) => {
    const [file = '', anchor] = target.split('#');
    const path = join(ROOT, folder, file);
    return !existsSync(path) || (anchor !== undefined && path.endsWith('.md') && !anchorsOf(readFileSync(path, 'utf8')).includes(anchor));
  };

  test('links of a page lead to a file and a heading', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...proseOf(text).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)]
        .map(([, target = '']) => (target.startsWith('#') ? `${basename(path)}${target}` : target))
        .filter((target) => missing(dirname(path), target))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('comments name pages and decision records that exist, and no document outside of the repository', () => {
    const outside = /\((see )?(decisions|specification|design|experience|reliability|performance),? (section |rule )?\d|\bdecisions \d/;
    const code = filesOf('.', ['.ts', '.tsx', '.mjs', '.py', '.css']).filter(({ path }) => path !== 'test/rules.test.ts');
    const broken = code.flatMap(({ path, text }) => {
      const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#) .*$/gm)].map(([comment]) =>
        comment.replaceAll(/\s+\*?\s*/g, ' '),
      );
      const pages = comments
        .flatMap((comment) => comment.match(/\bdocs\/[\w/-]+\.md(#[\w-]+)?/g) ?? [])
        .filter((page) => missing('.', page));
      const numbers = comments.flatMap((comment) => [...comment.matchAll(/\bdecision record (\d+)|docs\/decisions\/(\d+)/g)]);
      const unknown = numbers.filter(
        ([, number = '', file = number]) => !records.some((record) => record.path.startsWith(`docs/decisions/${file.padStart(4, '0')}-`)),
      );
      return [...pages, ...unknown.map(([reference]) => reference), ...comments.filter((comment) => outside.test(comment))].map(
        (reference) => `${path}: ${reference}`,
      );
    });
    expect(broken).toEqual([]);
  });

  test('docs/decisions/README.md lists each decision record with its title and the record that replaced it', () => {
    const index = documents.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? '';
    const rows = index
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, number, link = '', , status]) => [number, ...(/^\[(.*)\]\((.*)\)$/.exec(link)?.slice(1) ?? []), status]);
    const expected = records
      .toSorted((a, b) => a.path.localeCompare(b.path))
      .map(({ path, text }) => {
        const [, number, title] = /^# (\d+)\. (.*)$/m.exec(text) ?? [];
        const replacement = /^Replaced by \[decision (\d+)\]\((.*)\)/m.exec(text);
        return [number, title, basename(path), replacement ? `Replaced by [${replacement[1]}](${replacement[2]})` : 'Accepted'];
      });
    expect(rows).toEqual(expected);
  });
});

function migrationFiles(): string[] {
  return readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.ts') && !Object.hasOwn(migrationLists(), name));
}

/** Returns the problems that Biome finds in a folder with the configuration there. */
function lint(folder: string): { path: string; category: string }[] {
  const biome = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const report = JSON.parse(biome.stdout) as { diagnostics: { category: string; location: { path: string | { file: string } } }[] };
  return report.diagnostics.map(({ category, location }) => ({
    category,
    path: typeof location.path === 'string' ? location.path : location.path.file,
  }));
}
