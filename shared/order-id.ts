/** Returns true for the ID of an order; the order number of a shop is any other text. */
export const isOrderId = (orderId: string | null | undefined): orderId is string => /^ord_[0-9A-Za-z]{26}$/.test(orderId ?? '');
