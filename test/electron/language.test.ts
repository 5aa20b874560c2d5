import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '#server';
import { FULL } from '../support/tier.ts';
import { type DoubleShell, launchDouble, spawnDouble, until } from './shell.ts';

const CANCEL = 2;

let dataDir: string;
let shell: DoubleShell | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-language-'));
});
afterEach(async () => {
  await shell?.stop();
  shell = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the tooltip of the tray icon and the labels of its menu. */
const trayTexts = async (running: DoubleShell) => {
  const tray = await running.evaluate(({ record }) => record.trays[0], undefined);
  return [tray?.tooltip, ...(tray?.menu ?? []).map(({ label }) => label)].filter((label) => label !== undefined);
};
const menuTexts = (running: DoubleShell) =>
  running.evaluate(({ Menu }) => {
    const labels = Menu.getApplicationMenu()?.items.flatMap(({ label, submenu }) => [
      label,
      ...(submenu?.items ?? []).map((item) => item.label),
    ]);
    return labels?.filter((label) => label !== undefined);
  }, undefined);
/** Returns an empty text for a page that is being replaced, because it cannot be evaluated. */
const pageText = (running: DoubleShell) => running.inPage<string>('document.body.innerText').catch(() => '');

test('shows the menu, the tray and questions in the language of the page, also after a restart', FULL, async () => {
  shell = await launchDouble([], dataDir);
  let running = shell;
  const { host } = new URL(await running.inPage<string>('location.href'));
  expect(await trayTexts(running)).toContain('Open Paydesk');
  await running.inPage(`localStorage.setItem('paydesk.language', 'es'), setTimeout(() => location.reload()), 1`);
  await until(async () => (await trayTexts(running)).includes('Abrir Paydesk'));
  const inSpanish = (address: string) => [
    `Paydesk: API en marcha en ${address}`,
    'Abrir Paydesk',
    'Nueva venta',
    `API en marcha en ${address}`,
    'Copiar la dirección de la API',
    'Salir de Paydesk',
  ];
  const menuInSpanish = [
    'Vender',
    'Nueva venta',
    'Reimprimir último recibo',
    'Buscar transacción',
    'Bloquear',
    'Salir de Paydesk',
    'Editar',
    'Deshacer',
    'Rehacer',
    'Cortar',
    'Copiar',
    'Pegar',
    'Seleccionar todo',
    'Ver',
    'Ir a cualquier parte…',
    'Tamaño real',
    'Acercar',
    'Alejar',
    'Pantalla completa',
    'Volver a cargar',
    'Ventana',
    'Minimizar',
    'Cerrar ventana',
    'Ayuda',
    'Atajos de teclado',
    'Acerca de Paydesk',
  ];
  expect(await trayTexts(running)).toEqual(inSpanish(host));
  expect(await menuTexts(running)).toEqual(menuInSpanish);

  await running.evaluate(({ BrowserWindow, record }) => {
    record.answer = null;
    BrowserWindow.getAllWindows()[0]?.close();
  }, undefined);
  const questions = () =>
    running.evaluate(({ record }) => record.questions.map(({ message, buttons }) => ({ message, buttons })), undefined);
  await until(async () => (await questions()).length === 1);
  expect(await questions()).toEqual([
    {
      message: '¿Mantener Paydesk en marcha en la bandeja del sistema?',
      buttons: ['Mantener en marcha', 'Salir de Paydesk', 'Cancelar'],
    },
  ]);
  await running.evaluate(({ record }, button) => record.questions[0]?.answer(button), CANCEL);
  expect(JSON.parse(await readFile(join(dataDir, 'shell.json'), 'utf8'))).toMatchObject({ language: 'es' });
  expect(await running.quit()).toBe(0);

  // No page has loaded after this start.
  shell = await spawnDouble(['--hidden'], dataDir);
  running = shell;
  await until(async () => (await trayTexts(running))[0]?.includes('API en marcha') === true);
  const tooltip = (await trayTexts(running))[0] ?? '';
  expect(await trayTexts(running)).toEqual(inSpanish(tooltip.split(' ').at(-1) ?? ''));
  expect(await menuTexts(running)).toEqual(menuInSpanish);
});

test('shows the menu of the application on macOS in the language of the page', FULL, async () => {
  shell = await launchDouble([], dataDir);
  const running = shell;
  await running.evaluate(() => void Object.defineProperty(process, 'platform', { value: 'darwin' }), undefined);
  await running.inPage(`localStorage.setItem('paydesk.language', 'es'), setTimeout(() => location.reload()), 1`);
  await until(async () => ((await menuTexts(running)) ?? []).includes('Acerca de Paydesk'));
  expect((await menuTexts(running))?.slice(0, 8)).toEqual([
    'Paydesk',
    'Acerca de Paydesk',
    'Servicios',
    'Ocultar Paydesk',
    'Ocultar otros',
    'Mostrar todo',
    'Salir de Paydesk',
    'Vender',
  ]);
});

test('explains in the language of the system why the server does not run, until a page has another', FULL, async () => {
  const other = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  try {
    shell = await launchDouble(['--lang=es-MX'], dataDir);
    expect(await shell.inPage('document.documentElement.lang')).toBe('es');
    const text = await pageText(shell);
    expect(text).toContain('Otro servidor de Paydesk usa los datos');
    expect(text).toContain('Deténgalo primero');
    expect(text).toContain('No se perdió ningún pago');
    expect((await trayTexts(shell))[0]).toBe('Paydesk: La API no está en marcha: Otro servidor de Paydesk usa los datos');
  } finally {
    await other.close();
  }
  const running = shell;
  // The page of the server has the language of its browser.
  await until(async () => (await trayTexts(running)).includes('Open Paydesk'));
});

test('asks for a passphrase in the language of the system', FULL, async () => {
  shell = await launchDouble(['--lang=es', '--double-keyring=basic_text'], dataDir);
  const running = shell;
  expect(await running.inPage('document.title')).toBe('Elija una frase de contraseña para esta computadora');
  await running.evaluate(async ({ BrowserWindow }) => {
    const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    await page?.getByRole('textbox', { name: /^Frase de contraseña/ }).fill('una frase de contraseña');
    await page?.getByLabel('Repetir frase de contraseña').fill('otra frase de contraseña');
    await page?.getByRole('button', { name: 'Usar esta frase de contraseña' }).click();
  }, undefined);
  await until(async () => (await pageText(running)).includes('Las frases de contraseña no coinciden.'));
});

test('refuses a language that it does not have', FULL, async () => {
  shell = await launchDouble([], dataDir);
  for (const input of ['', `'fr'`, '1', 'null', `['es']`])
    expect(await shell.inPage(`paydesk.setLanguage(${input}).catch(({ message }) => message)`), input).toContain('Refused: ');
  expect(await trayTexts(shell)).toContain('Open Paydesk');
});
