import { api, takeData } from '#renderer/base/client';

/** A code as it was typed or read. */
interface TypedCode {
  readonly code: string;
  readonly pin: string;
}

/** Returns the body that names a code; an empty PIN is none. */
export const codeBody = ({ code, pin }: TypedCode) => ({ code: code.trim(), ...(pin.trim() && { pin: pin.trim() }) });

/** Returns the card with a code. The code is in the body, so that no address and no log contains it. @throws ApiFailure */
export const findGiftCard = (merchantId: string, typed: TypedCode) =>
  takeData(api.POST('/api/v1/gift-cards/balance', { body: { ...codeBody(typed), merchantId } }));
