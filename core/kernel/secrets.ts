/** Encrypts and decrypts texts by tenant and purpose. */
export interface Secrets {
  seal(tenantId: string, purpose: string, text: string): Promise<string>;
  open(tenantId: string, purpose: string, sealed: string): Promise<string>;
}
