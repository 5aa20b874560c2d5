import { contextBridge, ipcRenderer } from 'electron';
import { CHANNELS, type DesktopBridge, type QueuedPaper, type ShellCommand, type UpdateState, VERSION_FLAG } from './bridge/index.ts';

const listeners = new Set<(command: ShellCommand) => void>();
let unheard: ShellCommand | undefined;

// Electron's event object stays here: its `sender` would hand the page every channel.
ipcRenderer.on(CHANNELS.command, (_event, command: ShellCommand) => {
  if (listeners.size === 0) unheard = command;
  for (const tell of listeners) tell(command);
});

const updateListeners = new Set<(state: UpdateState) => void>();

ipcRenderer.on(CHANNELS.update, (_event, state: UpdateState) => {
  for (const tell of updateListeners) tell(state);
});

const paperListeners = new Set<(queue: QueuedPaper[]) => void>();

ipcRenderer.on(CHANNELS.paperQueue, (_event, queue: QueuedPaper[]) => {
  for (const tell of paperListeners) tell(queue);
});

contextBridge.exposeInMainWorld('paydesk', {
  version: process.argv.find((argument) => argument.startsWith(VERSION_FLAG))?.slice(VERSION_FLAG.length) ?? '',
  printReceipt: (job) => ipcRenderer.invoke(CHANNELS.printReceipt, job),
  listPrinters: () => ipcRenderer.invoke(CHANNELS.listPrinters),
  notify: (notice) => ipcRenderer.invoke(CHANNELS.notify, notice),
  onCommand: (tell) => {
    // A separate wrapper per registration, so that a function registered twice is removed one registration at a time.
    const listener = (command: ShellCommand) => tell(command);
    listeners.add(listener);
    if (unheard !== undefined) listener(unheard);
    unheard = undefined;
    return () => void listeners.delete(listener);
  },
  readSettings: () => ipcRenderer.invoke(CHANNELS.readSettings),
  changeSettings: (change) => ipcRenderer.invoke(CHANNELS.changeSettings, change),
  readLog: (limit) => ipcRenderer.invoke(CHANNELS.readLog, limit),
  openLogFolder: () => ipcRenderer.invoke(CHANNELS.openLogFolder),
  makeDiagnostics: () => ipcRenderer.invoke(CHANNELS.makeDiagnostics),
  saveDiagnostics: () => ipcRenderer.invoke(CHANNELS.saveDiagnostics),
  readUpdate: () => ipcRenderer.invoke(CHANNELS.readUpdate),
  checkForUpdate: () => ipcRenderer.invoke(CHANNELS.checkForUpdate),
  restartToUpdate: () => ipcRenderer.invoke(CHANNELS.restartToUpdate),
  onUpdate: (tell) => {
    const listener = (state: UpdateState) => tell(state);
    updateListeners.add(listener);
    return () => void updateListeners.delete(listener);
  },
  holdRestart: (isHeld) => ipcRenderer.invoke(CHANNELS.holdRestart, isHeld),
  readPrinter: () => ipcRenderer.invoke(CHANNELS.readPrinter),
  savePrinter: (setup) => ipcRenderer.invoke(CHANNELS.savePrinter, setup),
  testPrinter: (setup) => ipcRenderer.invoke(CHANNELS.testPrinter, setup),
  sendPaper: (job) => ipcRenderer.invoke(CHANNELS.sendPaper, job),
  readPaperQueue: () => ipcRenderer.invoke(CHANNELS.readPaperQueue),
  actOnPaper: (id, action) => ipcRenderer.invoke(CHANNELS.actOnPaper, id, action),
  onPaperQueue: (tell) => {
    const listener = (queue: QueuedPaper[]) => tell(queue);
    paperListeners.add(listener);
    return () => void paperListeners.delete(listener);
  },
} satisfies DesktopBridge);
