import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DesktopBridge, QueuedPrintJob, UpdateState } from '#bridge';
import { loadServiceTexts } from '#shared/service-texts';
import spanish from '../../../renderer/base/language/service.es.json' with { type: 'json' };
import { translatedBridge } from '../../../renderer/desktop/bridge/translated-bridge.ts';

beforeAll(() => loadServiceTexts(spanish));
afterAll(() => loadServiceTexts(null));

const refused = { sent: false, problem: '192.168.1.9:9101 does not answer. Is the printer on and connected to the network?' };
const failed: UpdateState = {
  status: 'failed',
  version: '1.2.0',
  problem: 'Updates require HTTPS, so nothing was downloaded. Version 1.2.0 keeps running.',
};
const job = {
  id: 1,
  problem: '\\\\FRONT\\Receipts refused the job (unknown error). Part of it may have been printed. Check the printer before you try again.',
} as QueuedPrintJob;

test('shows problems of printers, updates and files in the language of the page', async () => {
  const bridge = translatedBridge({
    testPrinter: async () => refused,
    queuePrintJob: async () => ({ sent: true }),
    readPrintQueue: async () => [job],
    readUpdate: async () => failed,
    saveDiagnostics: async () => ({ saved: false, problem: 'The file could not be written: EACCES: permission denied' }),
    onPrintQueue: (listener) => {
      listener([job]);
      return () => undefined;
    },
  } as Partial<DesktopBridge> as DesktopBridge);
  const setup = {} as never;
  expect(await bridge.testPrinter(setup)).toEqual({
    sent: false,
    problem: '192.168.1.9:9101 no responde. ¿La impresora está encendida y conectada a la red?',
  });
  expect(await bridge.queuePrintJob(setup)).toEqual({ sent: true });
  expect((await bridge.readUpdate()).problem).toBe(
    'Las actualizaciones requieren HTTPS, por lo que no se descargó nada. La versión 1.2.0 sigue en uso.',
  );
  expect((await bridge.saveDiagnostics()).problem).toBe('No se pudo escribir el archivo: EACCES: permission denied');
  const translatedProblem =
    '\\\\FRONT\\Receipts rechazó el trabajo (error desconocido). Es posible que se haya impreso una parte. Revise la impresora antes de reintentar.';
  expect((await bridge.readPrintQueue()).map(({ problem }) => problem)).toEqual([translatedProblem]);
  const listener = vi.fn();
  bridge.onPrintQueue(listener);
  expect(listener).toHaveBeenCalledWith([{ ...job, problem: translatedProblem }]);
});
