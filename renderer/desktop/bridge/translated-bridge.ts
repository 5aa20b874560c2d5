import type { DesktopBridge, QueuedPrintJob } from '#bridge';
import { serviceText } from '#renderer/base/language';

/** Returns a result of the application with its problem, which is in English, in the language of the page. */
function translated<Result extends { readonly problem?: string }>(result: Result): Result {
  return result.problem === undefined ? result : { ...result, problem: serviceText(result.problem) };
}

const translatedQueue = (queue: QueuedPrintJob[]) => queue.map(translated);

/** Returns the bridge with the problems of printers, updates and files in the language of the page. */
export function translatedBridge(bridge: DesktopBridge): DesktopBridge {
  return {
    ...bridge,
    printReceipt: async (job) => translated(await bridge.printReceipt(job)),
    savePrinter: async (setup) => translated(await bridge.savePrinter(setup)),
    testPrinter: async (setup) => translated(await bridge.testPrinter(setup)),
    queuePrintJob: async (job) => translated(await bridge.queuePrintJob(job)),
    readPrintQueue: async () => translatedQueue(await bridge.readPrintQueue()),
    onPrintQueue: (listener) => bridge.onPrintQueue((queue) => listener(translatedQueue(queue))),
    saveDiagnostics: async () => translated(await bridge.saveDiagnostics()),
    readUpdate: async () => translated(await bridge.readUpdate()),
    checkForUpdate: async () => translated(await bridge.checkForUpdate()),
    restartToUpdate: async () => translated(await bridge.restartToUpdate()),
    onUpdate: (listener) => bridge.onUpdate((state) => listener(translated(state))),
  };
}
