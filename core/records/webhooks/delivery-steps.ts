import { refused, type Steps } from '#core/kernel';
import type { DeliveryStatus } from './schema.ts';

/** `deliver`: an attempt succeeded. `expire`: its time has expired. `restart`: its schedule starts again. */
type DeliveryOperation = 'deliver' | 'expire' | 'restart';

const refuseEnded = (reason: string) => refused('RESOURCE_CONFLICT', `This delivery ${reason}.`);

/** State transitions of a delivery. A delivered one may be sent again manually and stays delivered. */
export const DELIVERY_STEPS: Steps<DeliveryStatus, DeliveryOperation> = {
  pending: { deliver: 'delivered', expire: 'failed', restart: refuseEnded('is still being retried') },
  delivered: { deliver: 'delivered', expire: refuseEnded('was already received'), restart: refuseEnded('was already received') },
  failed: { deliver: 'delivered', expire: refuseEnded('has already failed'), restart: 'pending' },
};
