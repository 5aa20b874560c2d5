// The peers by name. A new processor's peer is a line here.
import { authorizeNetPeer } from './authorizenet/index.ts';
import { nmiPeer } from './nmi/index.ts';
import { type Peer, type PeerOptions, type PeerProtocol, servePeer } from './peer-server.ts';

export type { Fault, Peer, PeerOptions } from './peer-server.ts';

export const PEERS: Readonly<Record<string, PeerProtocol>> = { authorizenet: authorizeNetPeer, nmi: nmiPeer };

/** Starts the peer of a processor. */
export function startPeer(kind: string, options?: PeerOptions): Promise<Peer> {
  const protocol = PEERS[kind];
  if (!protocol) throw new Error(`There is no peer ${kind}; there are: ${Object.keys(PEERS).join(', ')}.`);
  return servePeer(protocol, options);
}
