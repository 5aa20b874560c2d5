import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import { createHttpClient, type GatewayAccount, PROCESSORS, type Processor } from '#core/processing/gateways';
import { startSimulator } from '../../simulators/index.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { CARD, stepsFor, TRIGGERS } from './steps.ts';
import { type Answer, type Patience, TrialAccount } from './trial-account.ts';

export interface TrialOptions {
  readonly gateway: string;
  /** Values by the names of the processor's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly origin?: string;
  readonly currency: string;
  readonly timezone: string;
  readonly patience: Patience;
  /** Called after each step. */
  readonly progress: (step: TrialStep) => void;
}

export interface TrialStep {
  readonly name: string;
  /** Answer of the simulator, in words. */
  readonly expected: string;
  readonly actual: string;
  readonly isEqual: boolean;
  /** The processor's own text, without secrets; null if it gave none. */
  readonly text: string | null;
  readonly ms: number;
}

export interface TrialReport {
  readonly version: string;
  readonly startedAt: string;
  readonly gateway: string;
  readonly origin: string | null;
  readonly merchantName: string | null;
  readonly steps: readonly TrialStep[];
  readonly differences: number;
}

const IDS = { tenantId: 'trial', merchantId: 'trial', gatewayId: 'trial' };
/** A simulator shows everything at once. */
const NO_PATIENCE: Patience = { everyMs: 1, atMostMs: 0 };

/**
 * Makes small payments at a processor's test account and, step by step, at its simulator, and compares their answers. Never opens a live account.
 *
 * @throws CommandFailure if the credentials are incomplete or the processor refuses them; then nothing was charged.
 */
export async function runTrial(version: string, options: TrialOptions): Promise<TrialReport> {
  const { gateway, origin, progress } = options;
  const processor = PROCESSORS.find(({ type }) => type === gateway);
  const triggers = TRIGGERS[gateway];
  if (processor === undefined || triggers === undefined) throw new CommandFailure(EXIT.usage, `There is no trial of ${gateway}.`);
  requireCredentials(processor, options.credentials);
  const startedAt = new Date().toISOString();
  const http = createHttpClient();
  const simulator = await startSimulator(gateway);
  try {
    const account = accountOf(options, options.credentials, origin);
    const check = await processor.check(account, http);
    if (check.kind !== 'ok') throw new CommandFailure(EXIT.failed, `Nothing was charged. The check of the account failed: ${check.reason}`);
    const double = accountOf(options, simulator.credentials, simulator.origin);
    const actual = trialAccount(processor.open(account, http), options, options.patience);
    const expected = trialAccount(processor.open(double, http), options, NO_PATIENCE);
    const steps: TrialStep[] = [];
    for (const { name, run } of stepsFor(triggers)) {
      const prediction = await answered(run(expected));
      const started = performance.now();
      const answer = await answered(run(actual));
      const step = {
        name,
        expected: prediction.result,
        actual: answer.result,
        isEqual: prediction.result === answer.result,
        text: answer.text ?? null,
        ms: Math.round(performance.now() - started),
      };
      steps.push(step);
      progress(step);
    }
    return {
      version,
      startedAt,
      gateway,
      origin: origin ?? null,
      merchantName: check.merchantName ?? null,
      steps,
      differences: steps.filter(({ isEqual }) => !isEqual).length,
    };
  } finally {
    await http.close();
    await simulator.stop();
  }
}

function requireCredentials({ label, credentials }: Processor, given: Readonly<Record<string, string>>): void {
  const missing = credentials.filter(({ name, isRequired }) => isRequired && !given[name]).map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !credentials.some((field) => field.name === name));
  if (missing.length > 0) throw new CommandFailure(EXIT.usage, `The credentials lack ${missing.join(' and ')}, which ${label} requires.`);
  if (unknown.length > 0) throw new CommandFailure(EXIT.usage, `The credentials of ${label} have no ${unknown.join(' and no ')}.`);
}

function accountOf(
  { currency, timezone }: TrialOptions,
  credentials: Readonly<Record<string, string>>,
  origin: string | undefined,
): GatewayAccount {
  return { ...IDS, credentials, mode: 'test', currency: parseCurrency(currency), timezone, ...(origin !== undefined && { origin }) };
}

function trialAccount(connector: TrialAccount['connector'], { currency }: TrialOptions, patience: Patience): TrialAccount {
  const unit = parseCurrency(currency);
  return new TrialAccount({
    connector,
    ids: IDS,
    card: { source: CARD, channel: 'internet' },
    amountOf: (minor) => money(minor, unit),
    newReference: newProcessorRef,
    patience,
  });
}

/** A report that cannot be read ends with an error. */
async function answered(step: Promise<Answer>): Promise<Answer> {
  return step.catch((error: unknown) => ({ result: 'unreadable', text: error instanceof Error ? error.message : String(error) }));
}
