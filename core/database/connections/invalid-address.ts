/** Thrown for an address that is invalid. Its message never contains a part of the address that may be a password. */
export class InvalidAddress extends Error {
  override name = 'InvalidAddress';
}
