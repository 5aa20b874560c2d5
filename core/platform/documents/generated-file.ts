/** A generated file, such as the attachment of a message. */
export interface GeneratedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}
