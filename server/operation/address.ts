/** Host and port of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}
