import { refused, type Steps } from '#core/kernel';
import type { DeliveryStatus } from './schema.ts';

/** `deliver`: an attempt succeeded. `giveUp`: its time has expired. `repeat`: its schedule starts again. */
type DeliveryOperation = 'deliver' | 'giveUp' | 'repeat';

const ended = (words: string) => refused('RESOURCE_CONFLICT', `This delivery ${words}.`);

/** The transitions of a delivery (specification 6.1, decisions 8). One that was received may be sent again by hand, and stays received. */
export const DELIVERY_STEPS: Steps<DeliveryStatus, DeliveryOperation> = {
  pending: { deliver: 'delivered', giveUp: 'failed', repeat: ended('is still being tried') },
  delivered: { deliver: 'delivered', giveUp: ended('was received'), repeat: ended('was received') },
  failed: { deliver: 'delivered', giveUp: ended('has failed already'), repeat: 'pending' },
};
