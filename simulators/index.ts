// The simulators by name. A new processor's simulator is added here.
import { authorizeNetSimulator } from './authorizenet/index.ts';
import { nexoSimulator } from './nexo/index.ts';
import { nmiSimulator } from './nmi/index.ts';
import { type Simulator, type SimulatorOptions, type SimulatorProtocol, serveSimulator } from './simulator-server.ts';

export type { Fault, Simulator as Peer, SimulatorOptions as PeerOptions } from './simulator-server.ts';

export const SIMULATORS: Readonly<Record<string, SimulatorProtocol>> = {
  authorizenet: authorizeNetSimulator,
  nmi: nmiSimulator,
  nexo: nexoSimulator,
};

/** Starts the simulator of a processor. */
export function startSimulator(kind: string, options?: SimulatorOptions): Promise<Simulator> {
  const protocol = SIMULATORS[kind];
  if (!protocol) throw new Error(`There is no peer ${kind}; there are: ${Object.keys(SIMULATORS).join(', ')}.`);
  return serveSimulator(protocol, options);
}
