/** Errors that an export or import of an account can end with. */
type AccountDataErrorCode =
  | 'EXPORT_TARGET_EXISTS'
  | 'EXPORT_TARGET_UNUSABLE'
  | 'EXPORT_NOT_FOUND'
  | 'EXPORT_DAMAGED'
  | 'EXPORT_TOO_NEW'
  | 'IMPORT_NOT_EMPTY'
  | 'IMPORT_REFUSED'

/** A failure that its reader can act on: the message says what is wrong and what to do. */
export class AccountDataError extends Error {
  readonly code: AccountDataErrorCode

  constructor(code: AccountDataErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AccountDataError'
    this.code = code
  }
}
