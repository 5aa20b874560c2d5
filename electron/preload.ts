import { contextBridge, ipcRenderer } from 'electron';
import { CHANNELS, type DesktopBridge, type QueuedPrintJob, type ShellCommand, type UpdateState, VERSION_FLAG } from './bridge/index.ts';

const listeners = new Set<(command: ShellCommand) => void>();
let pendingCommand: ShellCommand | undefined;

// Electron's event object is not passed on: its `sender` would give the page access to every channel.
ipcRenderer.on(CHANNELS.command, (_event, command: ShellCommand) => {
  if (listeners.size === 0) pendingCommand = command;
  for (const listener of listeners) listener(command);
});

const updateListeners = new Set<(state: UpdateState) => void>();

ipcRenderer.on(CHANNELS.update, (_event, state: UpdateState) => {
  for (const listener of updateListeners) listener(state);
});

const printQueueListeners = new Set<(queue: QueuedPrintJob[]) => void>();

ipcRenderer.on(CHANNELS.printQueue, (_event, queue: QueuedPrintJob[]) => {
  for (const listener of printQueueListeners) listener(queue);
});

contextBridge.exposeInMainWorld('paydesk', {
  version: process.argv.find((argument) => argument.startsWith(VERSION_FLAG))?.slice(VERSION_FLAG.length) ?? '',
  printReceipt: (job) => ipcRenderer.invoke(CHANNELS.printReceipt, job),
  listPrinters: () => ipcRenderer.invoke(CHANNELS.listPrinters),
  notify: (notification) => ipcRenderer.invoke(CHANNELS.notify, notification),
  onCommand: (listener) => {
    // A separate wrapper per registration, so that a function registered twice is removed one registration at a time.
    const registered = (command: ShellCommand) => listener(command);
    listeners.add(registered);
    if (pendingCommand !== undefined) registered(pendingCommand);
    pendingCommand = undefined;
    return () => void listeners.delete(registered);
  },
  setLanguage: (language) => ipcRenderer.invoke(CHANNELS.setLanguage, language),
  readSettings: () => ipcRenderer.invoke(CHANNELS.readSettings),
  changeSettings: (change) => ipcRenderer.invoke(CHANNELS.changeSettings, change),
  readLog: (limit) => ipcRenderer.invoke(CHANNELS.readLog, limit),
  openLogFolder: () => ipcRenderer.invoke(CHANNELS.openLogFolder),
  openProvider: (address) => ipcRenderer.invoke(CHANNELS.openProvider, address),
  makeDiagnostics: () => ipcRenderer.invoke(CHANNELS.makeDiagnostics),
  saveDiagnostics: () => ipcRenderer.invoke(CHANNELS.saveDiagnostics),
  readUpdate: () => ipcRenderer.invoke(CHANNELS.readUpdate),
  checkForUpdate: () => ipcRenderer.invoke(CHANNELS.checkForUpdate),
  restartToUpdate: () => ipcRenderer.invoke(CHANNELS.restartToUpdate),
  onUpdate: (listener) => {
    const registered = (state: UpdateState) => listener(state);
    updateListeners.add(registered);
    return () => void updateListeners.delete(registered);
  },
  holdRestart: (isHeld) => ipcRenderer.invoke(CHANNELS.holdRestart, isHeld),
  readPrinter: () => ipcRenderer.invoke(CHANNELS.readPrinter),
  savePrinter: (setup) => ipcRenderer.invoke(CHANNELS.savePrinter, setup),
  testPrinter: (setup) => ipcRenderer.invoke(CHANNELS.testPrinter, setup),
  queuePrintJob: (job) => ipcRenderer.invoke(CHANNELS.queuePrintJob, job),
  readPrintQueue: () => ipcRenderer.invoke(CHANNELS.readPrintQueue),
  actOnPrintJob: (id, action) => ipcRenderer.invoke(CHANNELS.actOnPrintJob, id, action),
  onPrintQueue: (listener) => {
    const registered = (queue: QueuedPrintJob[]) => listener(queue);
    printQueueListeners.add(registered);
    return () => void printQueueListeners.delete(registered);
  },
} satisfies DesktopBridge);
