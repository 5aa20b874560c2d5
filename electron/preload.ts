import { contextBridge, ipcRenderer } from 'electron';
import { CHANNELS, type DesktopBridge, type ShellCommand, VERSION_FLAG } from './bridge.ts';

const listeners = new Set<(command: ShellCommand) => void>();
let unheard: ShellCommand | undefined;

// Electron's event object stays here: its `sender` would hand the page every channel.
ipcRenderer.on(CHANNELS.command, (_event, command: ShellCommand) => {
  if (listeners.size === 0) unheard = command;
  for (const tell of listeners) tell(command);
});

contextBridge.exposeInMainWorld('paydesk', {
  version: process.argv.find((argument) => argument.startsWith(VERSION_FLAG))?.slice(VERSION_FLAG.length) ?? '',
  printReceipt: (job) => ipcRenderer.invoke(CHANNELS.printReceipt, job),
  listPrinters: () => ipcRenderer.invoke(CHANNELS.listPrinters),
  notify: (notice) => ipcRenderer.invoke(CHANNELS.notify, notice),
  onCommand: (tell) => {
    // A set of their own wrappers, so that one function listening twice is removed once at a time.
    const listener = (command: ShellCommand) => tell(command);
    listeners.add(listener);
    if (unheard !== undefined) listener(unheard);
    unheard = undefined;
    return () => void listeners.delete(listener);
  },
} satisfies DesktopBridge);
