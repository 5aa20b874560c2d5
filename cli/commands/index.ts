import type { Command } from 'commander';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addClock } from './clock.ts';
import { addCompletion } from './completion.ts';
import { addEvents } from './events.ts';
import { addLedger } from './ledger.ts';
import { addListen } from './listen.ts';
import { addMcp } from './mcp.ts';
import { addRecord } from './record.ts';
import { addRecoverKey } from './recover-key.ts';
import { addReplay } from './replay.ts';
import { addRestore } from './restore.ts';
import { addRotateKey } from './rotate-key.ts';
import { addSeed } from './seed.ts';
import { addServe } from './serve.ts';
import { addSimulator } from './simulator.ts';
import { addStatus } from './status.ts';
import { addTail } from './tail.ts';
import { addTrial } from './trial.ts';
import { addTrigger } from './trigger.ts';
import { addUp } from './up.ts';

/** All commands in the order of the help. A new command is a file of this folder and a line here. */
export const COMMANDS: readonly ((paydesk: Command) => void)[] = [
  addUp,
  addListen,
  addTrigger,
  addEvents,
  addClock,
  addTail,
  addRecord,
  addReplay,
  addMcp,
  addSimulator,
  addTrial,
  addServe,
  addStatus,
  addSeed,
  addBackup,
  addRestore,
  addLedger,
  addAudit,
  addRecoverKey,
  addRotateKey,
  addCompletion,
];
