import type { Command } from 'commander';
import { addBackup } from './backup.ts';
import { addClock } from './clock.ts';
import { addCompletion } from './completion.ts';
import { addEvents } from './events.ts';
import { addListen } from './listen.ts';
import { addRestore } from './restore.ts';
import { addSeed } from './seed.ts';
import { addStatus } from './status.ts';
import { addTail } from './tail.ts';
import { addTrigger } from './trigger.ts';
import { addTwin } from './twin.ts';
import { addUp } from './up.ts';

/** All commands in the order of the help. A new command is a file of this folder and a line here. */
export const COMMANDS: readonly ((paydesk: Command) => void)[] = [
  addUp,
  addListen,
  addTrigger,
  addEvents,
  addClock,
  addTail,
  addStatus,
  addSeed,
  addBackup,
  addRestore,
  addTwin,
  addCompletion,
];
