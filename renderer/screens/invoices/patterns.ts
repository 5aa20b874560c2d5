/** Pattern of an email address that is worth a request; the service checks it. */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** Pattern of a phone number as people write it. */
export const PHONE = /^\+?[\d\s().-]{7,20}$/;
